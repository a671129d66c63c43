// What stays at the top of the page while views scroll: how high it is, and the card, which folds on a phone.

const $ = (id) => document.getElementById(id);
let open = false;

/** Keeps the header's height known to the page (`--head`), and the card folded where it has more than two lines. */
export function watchHeader() {
  const root = document.documentElement;
  const tall = () => root.style.setProperty("--head", `${floating() ? Math.ceil($("top").getBoundingClientRect().height) : 0}px`);
  new ResizeObserver(tall).observe($("top"));
  addEventListener("resize", tall);
  new ResizeObserver(fold).observe($("card-said"));
  new MutationObserver(() => unfold(false)).observe($("card-text"), { childList: true, characterData: true, subtree: true });
  $("card-more").onclick = () => unfold(!open);
  tall();
  fold();
}

/** Whether the header stays where it is while the page scrolls. */
function floating() {
  return getComputedStyle($("top")).position === "sticky";
}

function unfold(whole) {
  open = whole;
  fold();
}

function fold() {
  const said = $("card-said"), more = $("card-more");
  said.classList.toggle("open", open);
  more.hidden = !open && said.scrollHeight <= said.clientHeight + 2;
  more.textContent = open ? "▴" : "▾";
  more.setAttribute("aria-expanded", String(open));
  more.setAttribute("aria-label", open ? "Show less of what to do next" : "Show all of what to do next");
}

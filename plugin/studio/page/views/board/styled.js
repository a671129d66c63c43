/** Resolves as soon as a stylesheet is there, or cannot be had. */
export function styled(href) {
  return new Promise(resolve => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: resolve });
    document.head.prepend(link); // so that the studio's own rules go before it
  });
}

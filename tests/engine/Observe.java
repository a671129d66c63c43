import java.awt.AWTEvent;
import java.awt.Color;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Toolkit;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.imageio.ImageIO;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JMenuBar;
import javax.swing.JOptionPane;
import javax.swing.SwingUtilities;
import javax.swing.text.JTextComponent;

import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.ExtensionsLoader;
import VASSAL.build.module.GameSetupStep;
import VASSAL.build.module.GameState;
import VASSAL.build.module.ModuleExtension;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.WizardSupport;
import VASSAL.build.module.metadata.SaveMetaData;
import VASSAL.command.Command;
import VASSAL.counters.Deck;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;
import VASSAL.launch.StandardConfig;
import VASSAL.tools.DataArchive;
import VASSAL.tools.menu.MenuBarProxy;
import VASSAL.tools.menu.MenuManager;

/**
 * Lets VASSAL itself say what lies on the table.
 *
 * <p>{@code Observe MODULE FOLDER A,B,C FILE...} opens the module with the extensions beside it. It loads
 * each save or log as an observer without a side, steps a log to its end, and writes into a folder of its own
 * ({@code FOLDER/0}, {@code FOLDER/1}, ...): {@code answers.jsonl}, one JSON object a line (what was loaded,
 * the table with the properties A, B, C, then for every step what became different), the last position as
 * {@code end.vsav}, and the log as the engine writes it again, {@code again.vlog}. FILE may be {@code -}: a
 * new game. With {@code -Dpicture=PNG -Dat=STEP} it stops after that step and draws map and chat.
 *
 * <p>Dialogs the engine opens are closed and told in {@code dialogs}: a file in order opens none.
 */
public final class Observe {
  private final PrintStream out;
  private final List<String> props;
  private final List<String> dialogs;
  private Map<String, String> seen = new TreeMap<>();
  private final String picture = System.getProperty("picture");
  private final int pictured = Integer.getInteger("at", -1);

  private Observe(PrintStream out, List<String> props, List<String> dialogs) {
    this.out = out;
    this.props = props;
    this.dialogs = dialogs;
  }

  public static void main(String[] args) throws Exception {
    final List<String> props = args[2].isEmpty() ? List.of() : Arrays.asList(args[2].split(","));
    final List<String> dialogs = new ArrayList<>();
    Toolkit.getDefaultToolkit().addAWTEventListener(
      event -> close(event, dialogs), AWTEvent.WINDOW_EVENT_MASK);
    boolean open = false;
    int code = 0;
    for (int number = 0; number + 3 < args.length; number++) {
      final File folder = new File(args[1], String.valueOf(number));
      folder.mkdirs();
      System.err.println("=== " + number);
      try (PrintStream out = new PrintStream(new File(folder, "answers.jsonl"), StandardCharsets.UTF_8)) {
        try {
          if (!open) {
            onScreen(() -> open(args[0], dialogs));
            open = true;
          }
          new Observe(out, props, dialogs).run(args[number + 3], folder);
        }
        catch (Throwable t) {
          Throwable cause = t;
          while (cause.getCause() != null) {
            cause = cause.getCause();
          }
          cause.printStackTrace();
          out.println(new Row().put("kind", "failed").put("error", cause.toString()).put("dialogs", dialogs));
          code = 1;
        }
      }
      dialogs.clear();
    }
    System.exit(code);
  }

  /** The first map, and below it the chat window, as they would be on a screen. */
  private Void takePicture() throws Exception {
    final VASSAL.build.module.Map map = VASSAL.build.module.Map.getMapList().get(0);
    final JComponent chat = (JComponent) GameModule.getGameModule().getChatter();
    final Dimension size = map.getView().getPreferredSize();
    final int height = 230;
    chat.setSize(size.width, height);
    lay(chat);
    final BufferedImage image =
      new BufferedImage(size.width, size.height + height, BufferedImage.TYPE_INT_RGB);
    final Graphics2D pen = image.createGraphics();
    pen.setColor(Color.WHITE);
    pen.fillRect(0, 0, size.width, size.height);
    // to no component, so that boards are drawn at once and not as they come
    map.drawBoards(pen, 0, 0, 1.0, null);
    map.drawPieces(pen, 0, 0);
    pen.translate(0, size.height);
    chat.print(pen);
    printEnd(text(chat), chat, pen);
    pen.dispose();
    ImageIO.write(image, "png", new File(picture));
    return null;
  }

  /** The last lines of the chat: how high its text is only shows when it is wrapped, too late to scroll. */
  private static void printEnd(JTextComponent text, Container chat, Graphics2D pen) {
    final Container port = text.getParent();
    text.setSize(port.getWidth(), Short.MAX_VALUE);
    final int height = text.getPreferredSize().height;
    text.setSize(port.getWidth(), height);
    final Point corner = SwingUtilities.convertPoint(port, 0, 0, chat);
    final Graphics2D inner =
      (Graphics2D) pen.create(corner.x, corner.y, port.getWidth(), port.getHeight());
    inner.translate(0, Math.min(0, port.getHeight() - height));
    text.print(inner);
    inner.dispose();
  }

  private static void lay(Container container) {
    container.doLayout();
    for (Component part : container.getComponents()) {
      if (part instanceof Container) {
        lay((Container) part);
      }
    }
  }

  private void run(String file, File folder) throws Exception {
    final boolean log = !"-".equals(file);
    onScreen(() -> load(file));
    settle();
    out.println(header());
    tell(new Row().put("kind", "table"), table());
    if (log) {
      onScreen(() -> beginLog(new File(folder, "again.vlog")));
    }
    for (int number = 1; stepsLeft(); number++) {
      final String before = chat();
      onScreen(this::step);
      settle();
      final String after = chat();
      final int kept = after.startsWith(before) ? before.length() : 0;
      tell(new Row().put("kind", "step").put("step", number)
        .put("chat", after.substring(kept).strip()), table());
      if (picture != null && number == pictured) {
        onScreen(this::takePicture);
        return;
      }
    }
    if (log) {
      onScreen(() -> { logger().write(); return null; });
    }
    onScreen(() -> { state().saveGame(new File(folder, "end.vsav")); return null; });
    settle();
    out.println(new Row().put("kind", "end").put("dialogs", dialogs));
  }

  // --- driving the engine

  private static Void open(String path, List<String> dialogs) throws Exception {
    Info.setConfig(new StandardConfig() {
      @Override
      public Path getJavaBinPath() {
        return Path.of("/bin/true"); // saving would start VASSAL's library of modules, to tell it of the file
      }
    });
    new Menus();
    final GameModule module = new GameModule(new DataArchive(path));
    set(module, "wizardSupport", new NoWizard(dialogs));
    GameModule.init(module);
    new ExtensionsLoader().addTo(module);
    for (final String question : List.of(BasicLogger.PROMPT_NEW_LOG_START,
        BasicLogger.PROMPT_NEW_LOG_END, BasicLogger.PROMPT_LOG_COMMENT)) {
      module.getPrefs().setValue(question, Boolean.FALSE);
    }
    // Nobody at this table has this password, and nobody is asked for a side: an observer.
    GameModule.setUserId("nobody-" + System.nanoTime());
    for (final PlayerRoster roster : module.getComponentsOf(PlayerRoster.class)) {
      state().removeGameSetupStep(roster);
    }
    return null;
  }

  private Void load(String path) throws Exception {
    if ("-".equals(path)) {
      state().setup(false); // what lies there belongs to a game that ends here
      state().setup(true);
      return null;
    }
    final File file = new File(path);
    try (InputStream in = new BufferedInputStream(new FileInputStream(file))) {
      state().loadGameInForeground(file.getName(), in);
    }
    if (!state().isGameStarted()) {
      throw new IllegalStateException("no game began");
    }
    return null;
  }

  private boolean stepsLeft() {
    return logger().hasMoreCommands();
  }

  private Void step() throws Exception {
    final Method step = BasicLogger.class.getDeclaredMethod("step");
    step.setAccessible(true);
    step.invoke(logger());
    return null;
  }

  /** What the button that begins a log does, without its question where to write. */
  private Void beginLog(File to) throws Exception {
    set(logger(), "outputFile", to);
    set(logger(), "beginningState", state().getRestoreCommand());
    set(logger(), "metadata", new SaveMetaData());
    return null;
  }

  private static void set(Object of, String name, Object value) throws Exception {
    final Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(of, value);
  }

  private static GameState state() {
    return GameModule.getGameModule().getGameState();
  }

  private static BasicLogger logger() {
    return (BasicLogger) GameModule.getGameModule().getLogger();
  }

  private static <T> T onScreen(Callable<T> work) throws Exception {
    final FutureTask<T> task = new FutureTask<>(work);
    SwingUtilities.invokeAndWait(task);
    return task.get();
  }

  /** Lets everything run that the engine put off until later. */
  private static void settle() throws Exception {
    for (int i = 0; i < 3; i++) {
      onScreen(() -> null);
    }
  }

  private static void close(AWTEvent event, List<String> dialogs) {
    if (event.getID() == WindowEvent.WINDOW_OPENED && event.getSource() instanceof JDialog) {
      final JDialog dialog = (JDialog) event.getSource();
      dialogs.add((dialog.getTitle() + ": " + words(dialog)).strip());
      dialog.dispose();
    }
  }

  private static String words(Container of) {
    final StringBuilder found = new StringBuilder();
    for (final Component part : of.getComponents()) {
      if (part instanceof JOptionPane) {
        found.append(((JOptionPane) part).getMessage()).append(' ');
      }
      else if (part instanceof JTextComponent) {
        found.append(((JTextComponent) part).getText()).append(' ');
      }
      else if (part instanceof Container) {
        found.append(words((Container) part));
      }
    }
    return found.toString();
  }

  // --- what is on the table

  private Row header() throws Exception {
    final GameModule module = GameModule.getGameModule();
    final List<String> sides = new ArrayList<>();
    for (final PlayerRoster roster : module.getComponentsOf(PlayerRoster.class)) {
      for (final PlayerRoster.PlayerInfo player : roster.getPlayers()) {
        sides.add(player.getSide());
      }
    }
    final List<String> extensions = new ArrayList<>();
    for (final ModuleExtension extension : module.getComponentsOf(ModuleExtension.class)) {
      extensions.add(extension.getName() + " " + extension.getVersion());
    }
    return new Row().put("kind", "loaded").put("engine", Info.getVersion())
      .put("module", module.getGameName()).put("version", module.getGameVersion())
      .put("sides", sides).put("extensions", extensions).put("chat", chat());
  }

  private static String chat() throws Exception {
    return onScreen(() -> {
      final JTextComponent pane = text(GameModule.getGameModule().getChatter());
      return pane == null ? "" : pane.getDocument().getText(0, pane.getDocument().getLength());
    });
  }

  private static JTextComponent text(Container of) {
    for (final Component part : of.getComponents()) {
      if (part instanceof JTextComponent && !((JTextComponent) part).isEditable()) {
        return (JTextComponent) part;
      }
      final JTextComponent inside = part instanceof Container ? text((Container) part) : null;
      if (inside != null) {
        return inside;
      }
    }
    return null;
  }

  private Map<String, String> table() throws Exception {
    return onScreen(() -> {
      final Map<String, String> rows = new TreeMap<>();
      for (final GamePiece piece : state().getAllPieces()) {
        if (!(piece instanceof Stack) || ((Stack) piece).getPieceCount() > 0 || piece instanceof Deck) {
          rows.put(piece.getId(), row(piece).toString());
        }
      }
      return rows;
    });
  }

  private Row row(GamePiece piece) {
    final VASSAL.build.module.Map map = piece.getMap();
    final Point at = piece.getPosition();
    final Row row = new Row().put("id", piece.getId()).put("map", map == null ? null : map.getMapName())
      .put("x", at.x).put("y", at.y);
    if (piece instanceof Stack) {
      final List<String> members = new ArrayList<>();
      for (final Iterator<GamePiece> i = ((Stack) piece).getPiecesIterator(); i.hasNext();) {
        members.add(i.next().getId());
      }
      row.put("members", members);
      return piece instanceof Deck ? row.put("deck", ((Deck) piece).getDeckName()) : row;
    }
    row.put("loc", map == null ? null : map.locationName(at)).put("name", piece.getName());
    final Stack in = piece.getParent();
    row.put("in", in == null ? null : in.getId());
    final Row values = new Row();
    for (final String key : props) {
      final Object value = piece.getProperty(key);
      if (value != null) {
        values.put(key, value.toString());
      }
    }
    return row.put("props", values);
  }

  private void tell(Row row, Map<String, String> now) {
    final List<Object> changed = new ArrayList<>();
    now.forEach((id, text) -> {
      if (!text.equals(seen.get(id))) {
        changed.add(new Raw(text));
      }
    });
    final List<Object> gone = new ArrayList<>(seen.keySet());
    gone.removeAll(now.keySet());
    seen = now;
    out.println(row.put("changed", changed).put("removed", gone));
  }

  // --- a wizard and menus without windows, JSON without a library

  /** Tells what the engine would have asked at the start of a game. */
  private static final class NoWizard extends WizardSupport {
    private final List<String> dialogs;

    private NoWizard(List<String> dialogs) {
      this.dialogs = dialogs;
    }

    @Override
    public void showGameSetupWizard() {
      for (final Iterator<GameSetupStep> i = state().getUnfinishedSetupSteps(); i.hasNext();) {
        dialogs.add("asks at the start: " + i.next().getStepTitle());
      }
    }
  }

  private static final class Menus extends MenuManager {
    private final MenuBarProxy bar = new MenuBarProxy();

    @Override
    public JMenuBar getMenuBarFor(JFrame frame) {
      return null;
    }

    @Override
    public MenuBarProxy getMenuBarProxyFor(JFrame frame) {
      return bar;
    }
  }

  private static final class Raw {
    private final String text;

    private Raw(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static final class Row {
    private final StringBuilder text = new StringBuilder();

    private Row put(String key, Object value) {
      text.append(text.length() == 0 ? "" : ",").append(json(key)).append(':').append(json(value));
      return this;
    }

    @Override
    public String toString() {
      return "{" + text + "}";
    }

    private static String json(Object value) {
      if (value == null || value instanceof Number || value instanceof Row || value instanceof Raw) {
        return String.valueOf(value);
      }
      if (value instanceof List) {
        final List<String> parts = new ArrayList<>();
        for (final Object part : (List<?>) value) {
          parts.add(json(part));
        }
        return "[" + String.join(",", parts) + "]";
      }
      final StringBuilder quoted = new StringBuilder("\"");
      for (final char c : value.toString().toCharArray()) {
        if (c == '"' || c == '\\') {
          quoted.append('\\').append(c);
        }
        else if (c < ' ') {
          quoted.append(String.format("\\u%04x", (int) c));
        }
        else {
          quoted.append(c);
        }
      }
      return quoted.append('"').toString();
    }
  }
}

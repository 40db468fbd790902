import Files

/// Tells how far long work is: on a terminal in one line that is drawn anew and removed at the end,
/// and to machines, where they asked, in lines of JSON; both on stderr.
final class ProgressLine: Sendable {
  private struct State {
    /// What all steps are a part of by now.
    var part: ProgressStep.Part?
    var left = TimeLeft()
    /// The step as it was last told, and whether anybody saw it.
    var last: (step: ProgressStep, secondsLeft: Double?, isShown: Bool)?
    /// When something was written last; nil before anything was.
    var written: Double?
  }

  private let isDrawing: Bool
  private let writesJSON: Bool
  private let state = Mutex(State())

  /// Seconds between two words.
  private static let pause = 0.1
  /// Columns that stay free: a terminal adds the `^C` of an interrupt, which must not begin a second
  /// line.
  private static let margin = 3

  init(_ console: Console) {
    writesJSON = console.writesProgress
    isDrawing =
      System.isTerminal(2) && !console.isQuiet && !console.writesProgress
      && System.environment("TERM") != "dumb"
  }

  /// Begins a part of longer work, to which all further steps belong.
  func begin(_ part: ProgressStep.Part?) { state.withLock { $0.part = part } }

  /// Shows a step whose end nobody can know.
  func show(_ what: String) { show(ProgressStep(name: what, done: 0, total: nil)) }

  /// Shows a share of some work.
  func show(_ what: String, _ done: Int, of total: Int) {
    show(ProgressStep(name: what, done: done, total: total))
  }

  /// Shows a share of some bytes, in megabytes; nothing of few, which take no time.
  func show(_ what: String, bytes done: Int, of total: Int) {
    guard total >= 1_000_000 else { return }
    show("\(what) megabytes", done / 1_000_000, of: total / 1_000_000)
  }

  /// Shows a share of some work whose pieces end on any thread.
  func counting(_ what: String, of total: Int) -> @Sendable () -> Void {
    let count = Counter()
    return { self.show(what, count.next(), of: total) }
  }

  /// Shows a step, at most ten times a second, and each as it was last; from any thread.
  func show(_ step: ProgressStep) {
    guard isDrawing || writesJSON else { return }
    state.withLock { state in
      let now = System.monotonicSeconds()
      var step = step
      step.part = state.part
      if let last = state.last, last.step.isSame(as: step) {
        // Threads may overtake each other.
        guard step.done >= last.step.done || last.step.done == last.step.total else { return }
        if step.done < last.step.done { finish(&state) }
      } else {
        finish(&state)
      }
      let left = step.total.flatMap { state.left.take(step.done, of: $0, at: now) }
      state.last = (step, left, false)
      if let written = state.written, now - written < ProgressLine.pause { return }
      write(&state, at: now)
    }
  }

  /// Removes the line, and tells how the step ended.
  func clear() {
    state.withLock { state in
      finish(&state)
      TerminalLine.clear()
    }
  }

  /// Ends a step: what was not told of it is, to machines.
  private func finish(_ state: inout State) {
    if writesJSON, state.last?.isShown == false { write(&state, at: System.monotonicSeconds()) }
    state.last = nil
    state.left = TimeLeft()
  }

  private func write(_ state: inout State, at now: Double) {
    guard let (step, left, _) = state.last else { return }
    if writesJSON {
      let command = CommandLine.arguments.dropFirst().first ?? ""
      System.write(step.line(of: command, secondsLeft: left), to: 2)
    } else {
      let text = step.words(secondsLeft: left).printable(keepsLines: false)
      let columns = (System.terminalColumns(2) ?? 80) - ProgressLine.margin
      TerminalLine.draw(text.cut(toColumns: columns))
    }
    state.written = now
    state.last?.isShown = true
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

extension String {
  /// The text as far as it fits; what is cut ends in `…`. What is not ASCII may take two columns.
  func cut(toColumns columns: Int) -> String {
    func width(_ character: Character) -> Int { character.isASCII ? 1 : 2 }
    if reduce(0, { $0 + width($1) }) <= columns { return self }
    var room = columns - 2
    let kept = prefix { character in
      room -= width(character)
      return room >= 0
    }
    return kept + "…"
  }
}

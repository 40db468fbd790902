/// Draws with the characters of a terminal.
package struct TerminalDrawing: Sendable {
  /// Columns of the terminal.
  package let width: Int
  /// Whether nothing but ASCII is drawn.
  package let isPlain: Bool
  package let usesColour: Bool

  package init(width: Int, isPlain: Bool, usesColour: Bool) {
    (self.width, self.isPlain) = (max(20, width), isPlain)
    self.usesColour = usesColour && !isPlain
  }

  /// One bar: what is before it, its length as a share of the longest, and what is behind it.
  package struct Bar: Sendable {
    package let label: String
    /// 0...1.
    package let share: Double
    package let note: String
    /// Whether it is good; nil if it is neither.
    package let isGood: Bool?

    package init(label: String, share: Double, note: String, isGood: Bool? = nil) {
      (self.label, self.share, self.note, self.isGood) = (label, share, note, isGood)
    }
  }

  /// Bars below each other, no line longer than the terminal is wide where that can be; notes are
  /// never cut.
  package func bars(_ bars: [Bar]) -> String {
    let notes = bars.map { $0.note.count }.max() ?? 0
    let longest = bars.map { $0.label.count }.max() ?? 0
    let labels = min(longest, max(8, (width - notes - 4) / 2))
    let room = max(4, width - labels - notes - 4)
    return bars.map { bar in
      let label = TerminalDrawing.fitted(bar.label, to: labels, isPlain: isPlain)
      let drawn = painted(block(bar.share, room: room), bar.isGood)
      let rest = String(repeating: " ", count: room - blockCount(bar.share, room: room))
      return trimmed("\(label)  \(drawn)\(rest)  \(bar.note)") + "\n"
    }.joined()
  }

  /// A line of values, each as high as it is large.
  ///
  /// - Parameter values: finite.
  package func sparkline(_ values: [Double]) -> String {
    let steps = isPlain ? Array("_.-=*#") : Array("▁▂▃▄▅▆▇█")
    let low = values.min() ?? 0, high = values.max() ?? 0
    return String(
      values.map { value in
        let share = high > low ? (value - low) / (high - low) : 0
        return steps[min(steps.count - 1, Int(share * Double(steps.count)))]
      })
  }

  /// A mark for what passed, or was refused.
  func mark(isGood: Bool) -> String {
    if isPlain { return isGood ? "+" : "x" }
    return isGood ? "✓" : "✕"
  }

  private static let eighths = Array("▏▎▍▌▋▊▉█")

  /// Whole blocks and a part of one.
  private func block(_ share: Double, room: Int) -> String {
    let length = clamped(share) * Double(room)
    if isPlain { return String(repeating: "#", count: blockCount(share, room: room)) }
    let eighths = max(share > 0 ? 1 : 0, Int((length * 8).rounded()))
    let whole = String(repeating: "█", count: eighths / 8)
    return eighths % 8 == 0 ? whole : whole + String(TerminalDrawing.eighths[eighths % 8 - 1])
  }

  /// The columns that a block takes.
  private func blockCount(_ share: Double, room: Int) -> Int {
    let length = clamped(share) * Double(room)
    if isPlain { return min(room, max(share > 0 ? 1 : 0, Int(length.rounded()))) }
    return (max(share > 0 ? 1 : 0, Int((length * 8).rounded())) + 7) / 8
  }

  private func clamped(_ share: Double) -> Double { share > 0 ? min(1, share) : 0 }

  /// A label in so many columns; its middle goes where it is too long.
  private static func fitted(_ label: String, to columns: Int, isPlain: Bool) -> String {
    guard label.count > columns else {
      return label + String(repeating: " ", count: columns - label.count)
    }
    let mark = isPlain ? "." : "…"
    let head = (columns - 1) / 2
    return label.prefix(head) + mark + label.suffix(columns - 1 - head)
  }

  private func painted(_ text: String, _ isGood: Bool?) -> String {
    guard usesColour, let isGood, !text.isEmpty else { return text }
    return "\u{1B}[\(isGood ? 32 : 31)m\(text)\u{1B}[0m"
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

import Testing

@testable import Reports

struct TerminalDrawingTests {
  private let bars = [
    TerminalDrawing.Bar(label: "a", share: 1, note: "8 B", isGood: true),
    TerminalDrawing.Bar(label: "long", share: 0.5, note: "40 B", isGood: false),
    TerminalDrawing.Bar(label: "c", share: 0, note: "0 B"),
    TerminalDrawing.Bar(label: "d", share: 1e-9, note: "1 B"),
  ]

  @Test func barsFitTheTerminal() {
    let drawing = TerminalDrawing(width: 22, isPlain: false, usesColour: false)
    #expect(
      drawing.bars(bars) == """
        a     ██████████  8 B
        long  █████       40 B
        c                 0 B
        d     ▏           1 B

        """)
  }

  @Test func aPlainTerminalGetsASCII() {
    let drawing = TerminalDrawing(width: 22, isPlain: true, usesColour: true)
    #expect(
      drawing.bars(bars) == """
        a     ##########  8 B
        long  #####       40 B
        c                 0 B
        d     #           1 B

        """)
    #expect(drawing.sparkline([0, 1]).utf8.allSatisfy { $0 < 0x80 })
    #expect(drawing.mark(isGood: true) + drawing.mark(isGood: false) == "+x")
  }

  @Test func colourIsForWhatIsGoodOrNot() {
    let drawing = TerminalDrawing(width: 22, isPlain: false, usesColour: true)
    let lines = drawing.bars(bars).split(separator: "\n")
    #expect(lines[0].contains("\u{1B}[32m██████████\u{1B}[0m"))
    #expect(lines[1].contains("\u{1B}[31m█████\u{1B}[0m"))
    #expect(!lines[2].contains("\u{1B}") && !lines[3].contains("\u{1B}"))
  }

  @Test(arguments: [20, 30, 60, 200])
  func noLineIsLongerThanTheTerminalIsWide(_ width: Int) {
    let names = (0..<5).map { String(repeating: "encoder.layer.", count: $0 + 1) }
    let drawing = TerminalDrawing(width: width, isPlain: false, usesColour: false)
    let text = drawing.bars(
      names.enumerated().map {
        .init(label: $0.element, share: 0.2 * Double($0.offset), note: "1 B")
      })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
  }

  @Test func aLineOfValues() {
    let drawing = TerminalDrawing(width: 80, isPlain: false, usesColour: false)
    #expect(drawing.sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    #expect(drawing.sparkline([5, 5]) == "▁▁" && drawing.sparkline([]) == "")
  }
}

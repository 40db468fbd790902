import Foundation
import Inputs
import Testing

@testable import Gate
@testable import Reports

struct ReportPageTests {
  private func page(_ models: ModelReport...) throws -> String {
    try ReportPage(
      project: "ingot.yaml", models,
      deliveries: [
        .init(customer: "c", version: "1.0.0", package: nil, reasons: ["model 'b': refused"])
      ], command: "build", version: "1.2.3"
    ).html()
  }

  private func count(_ part: String, in html: String) -> Int {
    html.components(separatedBy: part).count - 1
  }

  @Test func aPageHasEveryPartOnce() throws {
    let html = try ReportPage(try Samples.model("m"), command: "shrink", version: "1.2.3").html()
    for part in [
      "<h1 id=\"m1\">", "Measured, and what is allowed", "Size against drift",
      "Bits and bytes of each layer", "How far each input turned", "Pairs whose similarity moved",
      "Inputs that turned most", "Inputs that lost most neighbours", "Warnings",
      "Judged by, and fitted to", "Digests", "Make it again", "4 times smaller than 4.9 kB",
      "limit standard: cosine mean 0.99", "3 of 10", "0.500 → 0.480",
      "none: weights are not fitted to inputs", "not measured",
    ] { #expect(count(part, in: html) == 1, "\(part): \(count(part, in: html))") }
    #expect(!html.contains("Why it was refused"))
    // Three of four candidates were measured; a table has all.
    #expect(count("class=\"point\"", in: html) == 3)
    #expect(count("class=\"ring\" r=\"10\"", in: html) == 1)
    #expect(count("class=\"layer\"", in: html) == 3)
    #expect(!html.contains("{{"))
  }

  /// What strangers wrote is text wherever it is shown.
  @Test(arguments: [
    "<script>window.touched=1</script>", "\"><img src=x onerror=y>", "'\u{301} onload='x",
    "\"\u{301} onmouseover=\"x", "</style><b>", "</title><b>", "</svg><b>", "--><b>",
    "\u{202E}txet", "{{style}}{{{style}}}",
  ])
  func hostileTextsStayTexts(_ text: String) throws {
    let plain = try page(try Samples.model("m", .refused, text: "a text"))
    let html = try page(try Samples.model("m", .refused, text: text))
    // As many elements, attributes and quotes as with a harmless text.
    for sign in ["<", ">", "\""] {
      #expect(count(sign, in: html) == count(sign, in: plain), "\(sign)")
    }
    #expect(!html.unicodeScalars.contains("\u{202E}"))
    #expect(count(HostileText().escapeText(text), in: html) >= 8)
  }

  @Test func nothingCanBeLoadedOrRun() throws {
    let html = try page(try Samples.model("a"), try Samples.model("b", .refused))
    #expect(html.contains("default-src 'none'; style-src 'unsafe-inline'; img-src data:"))
    for word in ["<script", "http:", "https:", "url(", "@import", "javascript:"] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test func theSameValuesGiveTheSameText() throws {
    let model = try Samples.model("m")
    #expect(try page(model, model) == page(model, model))
  }

  @Test func refusedModelsComeFirst() throws {
    let html = try page(
      try Samples.model("good"), try Samples.model("bad", .refused),
      try Samples.model("new", .unproven))
    let places = try ["bad", "good", "new"].map {
      try #require(html.range(of: "<bdi>\($0)</bdi></a>")).lowerBound
    }
    #expect(places == places.sorted())
    #expect(count("<h1>", in: html) == 1 && count("<article", in: html) == 3)
    #expect(html.contains("3 models, 1 refused or unusable; 0 packages of 1"))
    #expect(html.contains("model &#39;b&#39;: refused"))
    #expect(count("What would mend it", in: html) == 1)
  }

  /// An input of some megabytes does not make a page of some.
  @Test func hugeTextsAreCut() throws {
    let text = String(repeating: "word ", count: 1_000_000)
    let html = try page(try Samples.model("m", text: text))
    #expect(html.utf8.count < 100_000)
  }

  @Test func picturesAreInside() throws {
    var model = try Samples.model("m")
    let subject = DriftDetails.Subject(.image(path: "a\"b.png"), line: 3)
    model.judgement = Judgement(
      limits: nil, metrics: Samples.metrics(mean: 0.9),
      details: .embeddings(
        .init(cosines: [0.9], pairs: [], inputs: [.init(subject, cosine: 0.9)], neighbours: [])))
    model.pictures = ["a\"b.png": Picture(width: 3, height: 2, png: [1, 2, 3])]
    let html = try page(model)
    #expect(
      html.contains(
        "<img src=\"data:image/png;base64,AQID\" width=\"3\" height=\"2\" alt=\"a&quot;b.png\">"))
  }

  /// A model whose receipt, or whose words, are all that is left.
  @Test func littleIsEnough() throws {
    var model = ModelReport(name: "m", outcome: .unusable)
    #expect(try page(model).contains("cannot be used"))
    model.judgement = Judgement(["the model was not made"])
    #expect(try page(model).contains("<li>the model was not made</li>"))
  }

  /// What true labels and classes say stands beside the metrics.
  @Test func labelsAndFlipsByClassAreShown() throws {
    var model = ModelReport(name: "m", outcome: .passed)
    var metrics = DriftMetrics(
      drift: .outputs(.init(mean: 0.002, max: 0.01)), flips: 7, inputs: 40, pairs: 0)
    metrics.calibrationRise = 0.025
    func flips(_ label: String, _ targets: [(String, Int)]) -> ClassFlips {
      ClassFlips(
        label: label, words: label, inputs: 20,
        to: targets.map { ClassFlips.Target(label: $0.0, words: $0.0, count: $0.1) })
    }
    model.judgement = Judgement(
      limits: try Limits(overrides: ["calibrationError": 0.05]), metrics: metrics,
      labels: LabelRecord(
        lines: 38, accuracy: .init(baseline: 0.75, candidate: 0.5),
        calibrationError: .init(baseline: 0.125, candidate: 0.15)),
      classes: [
        flips("later", [("now", 2)]), flips("never", []),
        flips("<b>", [("later", 4), ("now", 1)]),
      ])
    let html = try page(model)
    #expect(
      html.contains("accuracy, on 38 labelled lines</th><td class=\"n\">0.75 → 0.5<"), "\(html)")
    #expect(html.contains("calibration error, on 38 labelled lines</th>"))
    #expect(html.contains("0.125 → 0.15") || html.contains("0.13 → 0.15"))
    #expect(html.contains("rise of calibration error</th><td class=\"n\">0.025"))
    #expect(html.contains("at most 0.05"))
    let classes = try #require(html.range(of: "Flips by class</h3>")?.upperBound)
    let rows = html[classes...].prefix(1500)
    #expect(
      rows.contains(
        "<bdi>&lt;b&gt;</bdi></th><td class=\"n\">20</td><td class=\"n\">5</td><td>4 to later, 1 to now</td>"
      ))
    let first = try #require(rows.range(of: "&lt;b&gt;")),
      second = try #require(rows.range(of: "<bdi>later"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(!rows.contains("never"))
    let plain = try page(try Samples.model("m"))
    #expect(!plain.contains("Flips by class") && !plain.contains("labelled line"))
  }

  @Test func manyClassesAreCut() {
    let all = (0..<23).map { place in
      ClassFlips(
        label: "c\(place)", words: "c\(place)", inputs: 30,
        to: (0..<22).map { ClassFlips.Target(label: "t\($0)", words: "t\($0)", count: 1) })
    }
    let view = ClassesView(all)
    #expect(view?.rows.count == 20 && view?.more == "and 3 more classes")
    #expect(view?.rows.first?.targets.hasSuffix(", 1 to t19, 2 more") == true)
    #expect(ClassesView([]) == nil)
  }

  @Test func outputsHaveDrawingsOfTheirOwn() throws {
    var model = ModelReport(name: "m", outcome: .passed)
    let metrics = DriftMetrics(
      drift: .outputs(.init(mean: 0.002, max: 0.01)), flips: 0, inputs: 9, pairs: 0)
    model.judgement = Judgement(
      limits: try Limits(profile: .standard), metrics: metrics,
      details: .outputs(
        .init(
          changes: (0..<9).map { 0.001 * Double($0) },
          worst: [
            .init(.init(.values([1, 2]), line: 4), name: "cat", before: 0.5, after: 0.51)
          ])))
    model.candidates = [
      Candidate(
        number: 1, share: nil, weightBytes: 10, predictedLoss: nil, use: 0.1, metrics: metrics,
        isPassed: true)
    ]
    let html = try page(model)
    for part in [
      "How far each output moved", "Outputs that moved most", "cat: 0.5 → 0.51",
      "limit standard: similarity drift mean 0.01", "mean change of outputs",
    ] { #expect(html.contains(part), "\(part)") }
  }
}

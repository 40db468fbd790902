import Foundation
import TestSupport
import Testing

/// `--report` from the outside; `ReportPageTests` look at what is on a page.
struct ReportTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeShrinkable()
  }

  private func run(_ arguments: String...) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func compress(_ flags: String..., scheme: String = "int8") throws -> Program {
    try Program.run(
      [
        "compress", "model", "--references", "pairs.jsonl", "-o", "s.safetensors", "--scheme",
        scheme,
        "--report", "r.html",
      ] + flags, in: folder.path)
  }

  private func page(_ name: String = "r.html") throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  private func count(_ part: String, in html: String) -> Int {
    html.components(separatedBy: part).count - 1
  }

  @Test func shrinkShowsEveryCandidate() throws {
    let run = try run(
      "shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors", "--report", "r.html",
      "--json")
    #expect(run.status == 0, "\(run.errors)")
    let search = try #require(try run.json()["search"] as? [String: Any])
    let trials = try #require(search["trials"] as? [[String: Any]])
    let html = try page()
    #expect(count("class=\"point\"", in: html) == trials.count)
    #expect(html.contains("✓</span> passed standard"))
    let references = try #require(search["references"] as? [String: [String: Any]])
    for share in references.values {
      #expect(html.contains("sha256 \(try #require(share["sha256"] as? String))"))
    }
    #expect(html.contains(try #require(try run.json()["sha256"] as? String)))
    #expect(
      html.contains("<code>ingot shrink model --references pairs.jsonl -o s.safetensors</code>"))
  }

  @Test func aSearchThatFindsNothingShowsWhatCameNearest() throws {
    let run = try run(
      "shrink", "model", "--references", "pairs.jsonl", "-o", "S.mlpackage", "--report", "r.html",
      "--limits", "strict,similarity-drift-max=0.0000000001")
    #expect(run.status == 3, "\(run.errors)")
    let html = try page()
    #expect(html.contains("Why it was refused") && html.contains("Bits and bytes of each layer"))
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl", "r.html"])
  }

  @Test func compressAndCheckShowTheSameVerdict() throws {
    let run = try compress()
    #expect(run.status == 0, "\(run.errors)")
    let made = try page()
    let check = try self.run(
      "check", "model", "s.safetensors", "--references", "pairs.jsonl", "--report", "c.html")
    #expect(check.status == 0, "\(check.errors)")
    for html in [made, try page("c.html")] {
      #expect(html.contains("✓</span> passed standard"))
      #expect(count("class=\"point\"", in: html) == 1)
      #expect(html.contains("How far each input turned") && html.contains("class=\"layer\""))
    }
    // As many bytes of each weight, in the same scheme.
    func weights(_ html: String) -> [Substring] {
      html.split(separator: "\n").filter { $0.contains("<td><bdi>") }
    }
    let found = weights(try page("c.html"))
    #expect(weights(made).count == 3 && found.count == 3)
    for (made, found) in zip(weights(made), found) {
      #expect(made.hasPrefix(found.dropLast("</tr>".count)))
      #expect(made.contains("kept") || made.contains("int8 per channel"))
    }
  }

  @Test func aRefusalHasAPageToo() throws {
    let run = try compress("--bits", "1", scheme: "palettize")
    #expect(run.status == 3)
    #expect(!run.errors.contains("report"))
    let made = try page()
    #expect(
      made.contains("Why it was refused") && made.contains("Nothing was written to the output"))
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl", "r.html"])
    #expect(
      try compress("--bits", "1", "--keep-refused", "k.safetensors", scheme: "palettize").status
        == 3)
    let check = try self.run(
      "check", "model", "k.safetensors", "--references", "pairs.jsonl", "--report", "c.html")
    #expect(check.status == 3)
    // Both give the very same reasons.
    func reasons(_ html: String) -> String? {
      html.components(separatedBy: "Why it was refused").last?.components(separatedBy: "</section>")
        .first
    }
    #expect(reasons(made) == reasons(try page("c.html")))
    #expect(made.contains("What would mend it, and its price"))
  }

  @Test func withoutReferencesItSaysSo() throws {
    let run = try self.run(
      "compress", "model", "-o", "s.safetensors", "--scheme", "int8", "--report", "r.html")
    #expect(run.status == 0)
    #expect(try page().contains("unproven: no references"))
  }

  @Test func theBytesDoNotDependOnThreads() throws {
    let pages = try [1, 2, 5].map { jobs in
      let run = try run(
        "shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors", "--report",
        "r.html", "--calibration", "inputs.jsonl", "--jobs", "\(jobs)")
      #expect(run.status == 0, "\(run.errors)")
      return try page()
    }
    #expect(pages.allSatisfy { $0 == pages[0] })
    #expect(pages[0].contains("calibration</dt><dd>200 inputs, <bdi class=\"word\">inputs.jsonl"))
  }

  @Test func aProjectHasAPartForEachModel() throws {
    try folder.writeProject()
    let first = try run(
      "build", "project", "-o", "out", "--report", "r.html", "--jobs", "1", "--no-store")
    #expect(first.status == 3)
    let html = try page()
    #expect(count("<article", in: html) == 4 && count("<h1>", in: html) == 1)
    #expect(html.contains("4 models, 1 refused or unusable; 2 packages of 3"))
    #expect(count("What would mend it, and its price", in: html) == 1)
    let names = html.components(separatedBy: "<a href=\"#m")
    #expect(names.count == 5 && names[1].contains("broken_flow"))
    let again = try run(
      "build", "project", "-o", "other", "--report", "s.html", "--jobs", "2", "--no-store")
    #expect(again.status == 3)
    #expect(
      try page("s.html").replacingOccurrences(of: "other", with: "out")
        .replacingOccurrences(of: "s.html", with: "r.html") == html)
  }

  @Test func whatTheStoreHadIsSaidToBeFromThere() throws {
    try folder.writeProject()
    for _ in 0..<2 {
      #expect(try run("build", "project", "-o", "out", "--report", "r.html").status == 3)
      try? FileManager.default.removeItem(atPath: folder.path("out"))
    }
    let html = try page()
    #expect(count("From the store", in: html) == 4)
    #expect(html.contains("What would mend it, and its price"))
    #expect(html.contains("Measured, and what is allowed"))
  }

  struct BadPath: CustomTestStringConvertible, Sendable {
    let path: String
    let message: String
    var testDescription: String { path }
  }

  /// Found before anything is made.
  @Test(arguments: [
    BadPath(path: "pairs.jsonl", message: "pairs.jsonl: is an input of this very command"),
    BadPath(path: "model", message: "model: is a folder, the output is one file"),
    BadPath(path: "no/r.html", message: "no/r.html: the folder 'no' is not there"),
    BadPath(
      path: "s.safetensors", message: "s.safetensors: is where --output of this very command goes"),
    BadPath(path: "/proc/r.html", message: "/proc/r.html"),
  ])
  func aPathThatCannotBeWritten(_ bad: BadPath) throws {
    for command in ["shrink", "compress"] {
      let run = try run(
        command, "model", "--references", "pairs.jsonl", "-o", "s.safetensors", "--report", bad.path
      )
      #expect(run.status == 1)
      #expect(run.errors.contains("error: \(bad.message)"), "\(run.errors)")
      #expect(run.output.isEmpty)
    }
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl"])
  }

  /// A page that Ingot wrote is replaced, and an empty file; an input of a project is not.
  @Test func whatIsNotAReportStays() throws {
    try folder.writeProject()
    try folder.write("model/notes.html", "mine")
    let references = try folder.bytes("project/pairs.jsonl")
    for (command, report) in [
      (
        ["compress", "model", "--references", "pairs.jsonl", "-o", "s.safetensors"],
        "model/notes.html"
      ),
      (
        ["shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors"],
        "model/notes.html"
      ),
      (["check", "model", "model", "--references", "pairs.jsonl"], "model/notes.html"),
      (["build", "project", "-o", "out"], "project/pairs.jsonl"),
    ] {
      let run = try Program.run(command + ["--report", report], in: folder.path)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(
          "error: \(report): holds something else than a report, and is not replaced"),
        "\(run.errors)")
    }
    #expect(try folder.bytes("model/notes.html") == Data("mine".utf8))
    #expect(try folder.bytes("project/pairs.jsonl") == references)
    #expect(try !folder.names().contains("out"))
    try folder.write("model/page.html", "")
    for _ in 0..<2 {
      let again = try run(
        "compress", "model", "--references", "pairs.jsonl", "-o", "s.safetensors", "--report",
        "model/page.html")
      #expect(again.status == 0, "\(again.errors)")
    }
  }

  @Test func aReportOfNothingIsWrongUsage() throws {
    try folder.writeProject()
    #expect(try run("build", "project", "--list", "--report", "r.html").status == 64)
    #expect(
      try run("check", "model", "model", "--inputs", "inputs.jsonl", "--report", "r.html").status
        == 64)
  }
}

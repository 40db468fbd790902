import Foundation
import TestSupport
import Testing

/// The forms in which `ingot validate` reports to other programs.
struct ValidateReportTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
  }

  /// Errors in the project file, and a warning about the customers.
  private func breakProject() throws {
    let text = try String(decoding: folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      text.replacingOccurrences(of: "    source: models/vector", with: "    sorce: models/vector"))
    try share()
  }

  /// Two apps have one bundle identifier, which is doubtful.
  private func share() throws {
    let text = try String(decoding: folder.bytes("project/customers.json"), as: UTF8.self)
    try folder.write(
      "project/customers.json",
      text.replacingOccurrences(of: "com.example.app2", with: "com.example.app1"))
  }

  private func shorten(_ lines: Int) throws {
    let samples = (0..<lines).map { "{\"input\": {\"values\": [0, \($0)]}}\n" }
    try folder.write("project/flows/first_flow/references.jsonl", samples.joined())
  }

  private func validate(_ flags: [String]) throws -> Program {
    try Program.run(["validate", "project"] + flags, in: folder.path)
  }

  @Test func warningsDoNotFail() throws {
    try share()
    let run = try validate([])
    #expect(run.status == 0)
    #expect(run.output == "project: sound, with 1 warning\n")
    #expect(
      run.errors.hasSuffix(
        """
        : bundle identifier 'com.example.app1' is that of another app too, at 1:76
        hint: one app has one app_id; correct one of the two

        """), "\(run.errors)")
    let json = try validate(["--json"]).json()
    #expect(json["verdict"] as? String == "sound")
    let fault = try #require((json["faults"] as? [[String: Any]])?.first)
    #expect(fault["severity"] as? String == "warning")
    #expect(fault["rule"] as? String == "shared-bundle-identifier")
    #expect(try validate(["--format", "github"]).status == 0)
    #expect(try validate(["--format", "sarif"]).status == 0)
  }

  @Test func fewReferencesAreAnErrorUnlessMeant() throws {
    try shorten(3)
    let run = try validate([])
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: project/flows/first_flow/references.jsonl:1:1: the reference set has only 3 \
        samples, a proof needs 8
        hint: add inputs like those the app will see, or 'fewReferences: true' under 'gate' to \
        say that so few are meant

        """)
    let text = try String(decoding: folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      text.replacingOccurrences(
        of: #"references.jsonl"}"#, with: #"references.jsonl", fewReferences: true}"#))
    #expect(try validate([]).output == "project: sound\n")
  }

  @Test func formatJSONIsJSON() throws {
    try breakProject()
    let flag = try validate(["--json"])
    let format = try validate(["--format", "json"])
    #expect(flag.status == 1)
    #expect(format.status == 1)
    #expect(format.output == flag.output)
    #expect(format.errors == flag.errors)
  }

  @Test func annotationsAreLinesOfTheirOwn() throws {
    try breakProject()
    let run = try validate(["--format", "github"])
    #expect(run.status == 1)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        ::error file=project/ingot.yaml,line=4,col=5,title=unknown-key::unknown key 'sorce' \
        (did you mean 'source'?)
        ::error file=project/ingot.yaml,line=4,col=5,title=missing-key::the key 'source' is \
        missing (add 'source', the model's folder or file)
        ::warning file=project/customers.json,line=4,col=75,\
        title=shared-bundle-identifier::bundle identifier 'com.example.app1' is that of another \
        app too, at 1:76 (one app has one app_id; correct one of the two)

        """)
  }

  /// Names that would end a property, a line or the file.
  @Test func annotationsEscapeWhatTheyHold() throws {
    let name = "50%,a:b"
    try FileManager.default.moveItem(atPath: folder.path("project"), toPath: folder.path(name))
    try folder.write("\(name)/ingot.yaml", "ingot: 1\n\"a%\\r\\nb\": 1\n")
    let run = try Program.run(["validate", name, "--format", "github"], in: folder.path)
    #expect(run.status == 1)
    let line = try #require(run.output.split(separator: "\n").first { $0.contains("line=2") })
    #expect(
      line.hasPrefix(
        "::error file=50%25%2Ca%3Ab/ingot.yaml,line=2,col=1,title=unknown-key::unknown key 'a%25"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::error file=") })
  }

  @Test func sarifHasEveryFaultAtItsPlace() throws {
    try breakProject()
    let run = try validate(["--format", "sarif"])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("error: project/ingot.yaml:4:5: "))
    let log = try run.json()
    #expect(log["version"] as? String == "2.1.0")
    let runs = try #require(log["runs"] as? [[String: Any]])
    let tool = try #require(runs.first?["tool"] as? [String: Any])
    let driver = try #require(tool["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "ingot")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let ids = rules.compactMap { $0["id"] as? String }
    #expect(ids.count == rules.count && Set(ids).count == ids.count)
    let results = try #require(runs.first?["results"] as? [[String: Any]])
    #expect(results.compactMap { $0["level"] as? String } == ["error", "error", "warning"])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(ids[index] == result["ruleId"] as? String)
    }
    let locations = try #require(results[0]["locations"] as? [[String: Any]])
    let place = try #require(locations.first?["physicalLocation"] as? [String: Any])
    #expect(
      (place["artifactLocation"] as? [String: String])?["uri"] == "project/ingot.yaml")
    #expect(place["region"] as? [String: Int] == ["startLine": 4, "startColumn": 5])
    #expect(
      (results[0]["message"] as? [String: String])?["text"]
        == "unknown key 'sorce' (did you mean 'source'?)")
    #expect(try validate(["--format", "sarif"]).output == run.output)
  }

  /// Whatever way the project is named, paths are relative to the folder the program runs in.
  @Test func sarifPathsAreRelativeURIs() throws {
    try FileManager.default.moveItem(
      atPath: folder.path("project"), toPath: folder.path("a b:ü"))
    try folder.write("a b:ü/ingot.yaml", "ingot: 2\n")
    let here = try Program.shell("pwd -P", in: folder.path).output.dropLast()
    for name in ["a b:ü", "./a b:ü", "\(here)/a b:ü"] {
      let run = try Program.run(["validate", name, "--format", "sarif"], in: folder.path)
      #expect(run.output.contains(#""uri": "a%20b%3A%C3%BC/ingot.yaml""#), "\(name)")
    }
  }

  @Test func formsExcludeEachOther() throws {
    let run = try validate(["--json", "--format", "sarif"])
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("--json and --format sarif exclude each other"))
    #expect(try validate(["--format", "xml"]).status == 64)
  }

  @Test func aWholeProjectHasNothingToAnnotate() throws {
    let run = try validate(["--format", "github"])
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.isEmpty)
  }
}

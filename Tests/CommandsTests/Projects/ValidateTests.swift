import Foundation
import TestSupport
import Testing

struct ValidateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func validate(_ flags: [String] = []) throws -> Program {
    try Program.run(["validate", "project"] + flags, in: folder.path)
  }

  @Test func soundProjectSaysSo() throws {
    try folder.writeProject()
    let run = try validate()
    #expect(run.status == 0)
    #expect(run.output == "project: sound\n")
    #expect(run.errors.isEmpty)
    let json = try validate(["--json"])
    #expect(json.status == 0)
    #expect(
      json.output == "{\n  \"faults\": [],\n  \"schemaVersion\": 1,\n  \"verdict\": \"sound\"\n}\n")
  }

  @Test func quickstartIsSound() throws {
    let run = try Program.run(
      ["validate", "\(Program.repository)/specs/examples/quickstart", "--json"])
    #expect(run.status == 0)
    #expect(try run.json()["verdict"] as? String == "sound")
  }

  /// Twelve faults of the project file, and of what it names.
  private func writeFaultyProject() throws {
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 2
      models:
        vector:
          source: models/nothing
          compres: {scheme: int8}
          gate: {references: pairs.jsonl, limits: strickt}
          formats: [onnx]
      customers: customers.json
      release: {version: 1.0, sdk: "3", archive: tgz, sign: keys/k}

      """)
  }

  @Test func everyFaultOfTheProjectFileIsReportedAtOnce() throws {
    try writeFaultyProject()
    let run = try validate()
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: project/ingot.yaml:1:8: 'ingot' is '2', this version reads contract 1
        error: project/ingot.yaml:4:5: the key 'compress' is missing
        hint: say how to compress: 'compress: {scheme: int8}'
        error: project/ingot.yaml:4:13: model 'vector': the source 'project/models/nothing' is not \
        there, nor is the folder 'project/models'
        error: project/ingot.yaml:5:5: unknown key 'compres'
        hint: did you mean 'compress'?
        error: project/ingot.yaml:6:24: model 'vector': the reference set 'project/pairs.jsonl' is \
        not there
        error: project/ingot.yaml:6:45: no limits are called 'strickt'
        hint: did you mean 'strict'?
        error: project/ingot.yaml:7:15: 'onnx' is not a format
        hint: use 'safetensors' or 'mlpackage' or 'mlmodel'
        error: project/ingot.yaml:8:12: the customer list 'project/customers.json' is not there
        error: project/ingot.yaml:9:20: 'version' is '1.0', expected a version such as 1.4.0
        hint: write it as 1.0.0
        error: project/ingot.yaml:9:30: 'sdk' is '3', expected a range such as ">=3.2.0 <5.0.0"
        error: project/ingot.yaml:9:44: 'archive' is 'tgz', expected tar.zst or zip
        error: project/ingot.yaml:9:55: the signing key 'project/keys/k' is not there, nor is the \
        folder 'project/keys'
        hint: make one: mkdir -p project/keys && ssh-keygen -t ed25519 -f project/keys/k

        """)
  }

  @Test func jsonHasTheSameFaults() throws {
    try writeFaultyProject()
    let plain = try validate()
    let run = try validate(["--json"])
    #expect(run.status == 1)
    #expect(run.errors == plain.errors)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["verdict"] as? String == "faulty")
    let faults = try #require(json["faults"] as? [[String: Any]])
    #expect(faults.count == 12)
    let places = faults.map { fault in
      "\(fault["file"] ?? ""):\(fault["line"] ?? ""):\(fault["column"] ?? "")"
    }
    #expect(places.first == "project/ingot.yaml:1:8")
    #expect(places.last == "project/ingot.yaml:9:55")
    #expect(faults[3]["hint"] as? String == "did you mean 'compress'?")
  }

  @Test func everyFaultOfTheCustomerListIsReportedAtOnce() throws {
    try folder.writeProject()
    try folder.write(
      "project/customers.json",
      """
      [{"app_id": "ABC", "bundle_identifiers": []},
       {"app_id": "C2D67CDB-E117-4C3E-ACCA-2AE7F1A42210", "bundle_identifiers": ["com.a.b"],
        "customModels": [{"flowId": -1, "flowName": "../x", "modelVersion": 0}]}]
      """)
    let run = try validate()
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: project/customers.json:1:13: 'app_id' is 'ABC', expected a UUID in lower case
        hint: a UUID has 32 hexadecimal digits, this one 3
        error: project/customers.json:1:42: 'bundle_identifiers' is empty
        hint: name the apps that may load the package, such as com.example.app
        error: project/customers.json:2:13: 'app_id' is 'C2D67CDB-E117-4C3E-ACCA-2AE7F1A42210', \
        expected a UUID in lower case
        hint: write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210
        error: project/customers.json:3:31: 'flowId' is the number -1, expected a whole number \
        from 0
        error: project/customers.json:3:47: 'flowName' is '../x', expected 1 to 64 of a-z 0-9 _
        error: project/customers.json:3:71: 'modelVersion' is the number 0, expected a whole \
        number from 1

        """)
  }

  @Test func missingModelsAndReferencesAreNamedTogether() throws {
    try folder.writeProject()
    for gone in ["models/vector", "pairs.jsonl", "flows/first_flow/v1"] {
      try FileManager.default.removeItem(atPath: folder.path("project/\(gone)"))
    }
    let run = try validate()
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(lines.count == 3)
    for gone in ["models/vector", "pairs.jsonl", "flows/first_flow/v1"] {
      #expect(lines.contains { $0.hasSuffix("'project/\(gone)' is not there") }, "\(gone)")
    }
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    let bytes: Data?
    let error: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "missing", bytes: nil, error: "1:1: cannot open: no such file or directory"),
    Case(name: "empty", bytes: Data(), error: "1:1: the file is empty"),
    Case(name: "no text", bytes: Data([0xFF, 0xFE]), error: "1:1: the text is not valid UTF-8"),
    Case(
      name: "unfinished", bytes: Data("a: [1,".utf8),
      error: "2:1: is not YAML: while parsing a flow node, did not find expected node content"),
  ]

  @Test(arguments: cases)
  func projectFilesThatCannotBeReadFail(_ test: Case) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("project"), withIntermediateDirectories: true)
    if let bytes = test.bytes { try folder.write("project/ingot.yaml", bytes) }
    for command in [["validate"], ["build", "--output", "out"]] {
      let run = try Program.run(command + ["project"], in: folder.path)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors == "error: project/ingot.yaml:\(test.error)\n")
      #expect(try folder.names() == ["project"])
    }
  }
}

extension ValidateTests {
  /// A build says of wrong lines what `validate` says.
  @Test(arguments: [["validate", "project"], ["build", "project", "--output", "out"]])
  func aWrongReferenceLineIsAnsweredWithARightOne(_ command: [String]) throws {
    try folder.writeProject()
    try folder.write("project/pairs.jsonl", #"{"input": {"values": [1, 2, 3, 4]}}"# + "\n")
    let run = try Program.run(command, in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        #"hint: a line for this model: {"a": {"values": [0.1, 0.2, 0.3, 0.4]}, "#
          + #""b": {"values": [0.2, 0.3, 0.4, 0.5]}, "similarity": 5}"#), "\(run.errors)")
  }
}

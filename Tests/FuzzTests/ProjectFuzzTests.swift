import Files
import StrictJSON
import Testing

@testable import Project

/// Project files and customer lists.
extension FuzzTests {
  private static let projects = bytes([
    """
    # A release.
    ingot: 1
    models:
      encoder:
        source: models/encoder
        compress: {scheme: palettize, bits: 4, granularity: per-group, groupSize: 16}
        gate:
          references: "pairs.jsonl"
          limits: {profile: strict, cosineMean: 0.999, similarityDriftMax: 5e-2, weakened: true}
          threshold: -0.25
        formats: [safetensors]
    customModels:
      source: 'flows/{appId}/{flowName}-{flowId}.v{modelVersion}'
      compress:
        scheme: int8
      gate: {references: "refs/{flowName}.jsonl", limits: lenient}
    customers: customers.json
    release:
      version: 1.4.0
      sdk: ">=3.2.0 <5.0.0"
      archive: tar.zst
    """,
    """
    {"ingot": 1, "models": {"a.b-c": {"source": "m", "compress": {"scheme": "int8"},
      "gate": {"references": "r", "limits": {}}}},
     "customers": "c.json", "release": {"version": "0.0.1-rc.1+x", "sdk": ">=1.0.0"}}
    """,
    "--- !!map\r\n? ingot\r\n: 1\r\ncustomModels:\r\n  source: |-\r\n    a b\r\n  compress:"
      + " {scheme: int8}\r\n  gate:\r\n    references: >-\r\n      r\r\ncustomers: \"c\\u0020\"\r\n"
      + "release: {version: 1.0.0, sdk: '>=1.0.0'}\r\n...\r\n",
  ])

  private static let customers = bytes([
    """
    [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["com.a.b", "x.y"],
      "customModels": [{"flowId": 8362, "flowName": "upsell_1", "modelVersion": 73},
        {"flowId": 0, "flowName": "b", "modelVersion": 1}], "plan": "gold"},
     {"app_id": "00000000-0000-0000-0000-000000000000", "bundle_identifiers": ["com.a.c"]}]
    """,
    #"[{"app_id":"ffffffff-1111-2222-3333-444444444444","bundle_identifiers":["a.b"],"#
      + #""customModels":null}]"#,
  ])

  @Test func projects() throws {
    let file = try ScratchFile("ingot.yaml")
    run("projects", FuzzTests.projects) { bytes in
      parsing([Refused.self]) {
        try file.write(bytes)
        let log = ContractSection.Log()
        let project = ProjectReader.read(file.path, log: log)
        guard areSound(log) else { return false }
        // It is read exactly when nothing is an error.
        guard (project == nil) == log.faults.hasErrors else { return false }
        guard let project else { throw Refused() }
        return project.customModels != nil || !project.models.isEmpty
      }
    }
  }

  /// Values within values, as deep as the size of a file allows.
  @Test(arguments: ["[", "{a: ", "- ", "? ", "{", "[[{", "? - ", "&a ", "!a "])
  func deepProjects(opener: String) {
    var faults = ProjectFaults()
    let count = YAMLReader.sizeLimit / opener.utf8.count
    let text = Array(String(repeating: opener, count: count).utf8)
    let node = YAMLReader.read(text, file: "f", &faults)
    #expect(node == nil)
    #expect(!faults.isEmpty)
  }

  /// Customer lists, and the plan that one project makes of them.
  @Test func customers() throws {
    let projectFile = try ScratchFile("ingot.yaml")
    try projectFile.write(FuzzTests.projects[0])
    let draft = try #require(
      ProjectReader.draft(projectFile.path, log: ContractSection.Log()))
    let project = draft.soundPart
    let file = try ScratchFile("customers.json")
    run("customer lists", FuzzTests.customers) { bytes in
      parsing([Refused.self]) {
        try file.write(bytes)
        let log = ContractSection.Log()
        let list = CustomerReader.read(file.path, log: log)
        guard areSound(log), list != nil || !log.faults.isEmpty else { return false }
        guard let list else { throw Refused() }
        let assigned = AssignmentCheck(project: draft, log: log).sound(of: list)
        let plan = BuildPlan(project, assigned)
        let isWhole = plan.packages.count == list.customers.count && areSound(log)
        guard !log.faults.hasErrors else { return try isWhole ? refuse() : false }
        return isWhole && !list.customers.isEmpty
          && plan.packages.allSatisfy { package in
            !package.models.isEmpty
              && package.models.allSatisfy { plan.jobs.indices.contains($0.job) }
          }
      }
    }
  }

  private func refuse() throws -> Bool { throw Refused() }

  private func areSound(_ log: ContractSection.Log) -> Bool {
    log.faults.sort(first: "ingot.yaml")
    return log.faults.faults.allSatisfy { fault in
      !fault.message.isEmpty && fault.place.line >= 1 && fault.place.column >= 1
    } && log.faults.isEmpty == log.faults.description.isEmpty
      && !log.faults.json.compact.isEmpty
  }
}

/// A file was refused, with faults.
private struct Refused: Error {}

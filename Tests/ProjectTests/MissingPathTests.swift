import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

@Suite struct MissingPathTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let path: String
    let words: String
    let hint: String?
    var testDescription: String { path }
  }

  @Test(arguments: [
    Case(
      path: "flows/onboarding_upsel", words: "the source 'flows/onboarding_upsel' is not there",
      hint: "did you mean 'onboarding_upsell'?"),
    Case(
      path: "flows/onboarding_upsel/v73",
      words: "the source 'flows/onboarding_upsel/v73' is not there, "
        + "nor is the folder 'flows/onboarding_upsel'",
      hint: "did you mean 'onboarding_upsell'?"),
    Case(
      path: "flows/onboarding_upsell/v73",
      words: "the source 'flows/onboarding_upsell/v73' is not there",
      hint: "there is only 'v81', 'v9'"),
    Case(
      path: "Flows/churn/v1",
      words: "the source 'Flows/churn/v1' is not there, nor is the folder 'Flows'",
      hint: "did you mean 'flows'?"),
    Case(
      path: "many/x", words: "the source 'many/x' is not there", hint: nil),
    Case(
      path: "empty/x", words: "the source 'empty/x' is not there", hint: nil),
    Case(
      path: "file/x", words: "the source 'file/x' is not there", hint: "'SCRATCH/file' is a file"),
  ])
  func saysHowFarItLeads(_ test: Case) throws {
    let scratch = try TemporaryFolder()
    for folder in ["flows/onboarding_upsell/v81", "flows/onboarding_upsell/v9", "flows/.hidden"] {
      try Folder.create(scratch.path(folder))
    }
    for number in 0..<7 { try Folder.create(scratch.path("many/model_number_\(number)")) }
    try Folder.create(scratch.path("empty"))
    try scratch.write("file", "")
    let missing = MissingPath(scratch.path(test.path))
    func short(_ text: String, _ place: String) -> String {
      text.split(separator: scratch.path, omittingEmptySubsequences: false).joined(
        separator: place)
    }
    #expect(short(missing.words("the source"), "").replacing("'/", with: "'") == test.words)
    #expect(missing.hint.map { short($0, "SCRATCH") } == test.hint)
  }

  @Test func worksOnRelativePaths() {
    let missing = MissingPath("no/such/folder")
    #expect(missing.missing == "no")
    #expect(missing.found == ".")
  }
}

import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

@Suite struct DocumentationTests {
  /// The examples of `specs/formats/project.md` are sound.
  @Test func examplesAreSound() throws {
    let page = String(
      decoding: try MappedFile.contents(
        of: "\(Program.repository)/specs/formats/project.md", limit: 1 << 20), as: UTF8.self)
    let scratch = try TemporaryFolder()
    let log = ContractSection.Log()
    let yaml = try scratch.write("ingot.yaml", try block("yaml", of: page))
    #expect(ProjectReader.read(yaml, log: log) != nil)
    let json = try scratch.write("customers.json", try block("json", of: page))
    #expect(CustomerReader.read(json, log: log)?.customers.count == 1)
    #expect(lines(log.faults) == [])
  }

  private func block(_ language: String, of page: String) throws -> String {
    guard let start = page.firstRange(of: "```\(language)\n"),
      let end = page[start.upperBound...].firstRange(of: "```")
    else { throw NotThere(what: language) }
    return String(page[start.upperBound..<end.lowerBound])
  }
}

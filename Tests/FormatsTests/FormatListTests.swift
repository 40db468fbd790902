import Testing
import WeightCompression

@testable import Formats

/// Answers of the list of formats, so that no other target names one of them.
struct FormatListTests {
  @Test func sentencesAreMadeOfTheList() {
    #expect(ModelFormat.usual == .safetensors)
    #expect(ModelFormat.floats.halving == ["an mlpackage"])
    #expect(ModelFormat.floats.keeping == ["safetensors"])
    #expect(ModelFormat.ofPrograms == [.mlpackage])
    #expect(ModelFormat.withSection(CoreMLOptions.section) == [.mlpackage])
    #expect(
      "\(EmissionError.programOnly(origin: "x", format: .safetensors))"
        == "x: is a program, which a safetensors file cannot hold; write an mlpackage")
  }

  @Test(arguments: ModelFormat.allCases)
  func aFormatIsOfFilesOrOfFolders(_ format: ModelFormat) {
    #expect((format.folder == nil) != (format.file == nil))
    #expect(ModelFormat.isFolder(called: "X.\(format.name.uppercased())") == (format.folder != nil))
    #expect(!ModelFormat.isFolder(called: "X.onnx"))
  }

  /// Only the head of a file of weights is read to tell its model.
  @Test func theHeadOfAFileIsAskedForInTwoSteps() throws {
    let rules = try #require(ModelFormat.safetensors.file)
    #expect(rules.headByteCount([]) == 8)
    #expect(rules.headByteCount([5, 0, 0]) == 8)
    #expect(rules.headByteCount([5, 0, 0, 0, 0, 0, 0, 0]) == 13)
    #expect(rules.headByteCount([5, 0, 0, 0, 0, 0, 0, 0, 123]) == 13)
  }
}

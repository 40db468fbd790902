import Testing

@testable import Formats

/// What the list of formats answers, so that no other target names one of them.
struct ModelFormatTests {
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
  func everyFormatIsFoundByItsName(_ format: ModelFormat) throws {
    #expect(ModelFormat(format.name) == format)
    #expect(try ModelFormat(named: format.name) == format)
    #expect((format.folder == nil) != (format.file == nil))
    #expect(ModelFormat.isFolder(called: "X.\(format.name.uppercased())") == (format.folder != nil))
  }

  @Test func anUnknownNameIsNoFormat() {
    #expect(ModelFormat("onnx") == nil)
    #expect {
      try ModelFormat(named: "onnx")
    } throws: {
      "\($0)" == "'onnx' is not a format; known: safetensors, mlpackage"
    }
    #expect(!ModelFormat.isFolder(called: "model.onnx"))
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

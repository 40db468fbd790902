import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// Models with weights of several uses, and with convolutions in groups: fitted to some inputs, they
/// are nearer to the library's answers for them than rounded.
struct SharedWeightInteropTests {
  private static let texts = EncoderTableTests.table
  private static let images = ImageEncoderTableTests.table
  private static let albert = texts.cases.filter { $0.name == "albert-mean" }
  private static let mobile = images.cases.filter {
    ["mobilenetv2-bfloat16", "mobilenetv4-small"].contains($0.name)
  }
  private static let palettes = ["--scheme", "palettize", "--bits", "4"]

  @Test func everyModelIsThere() {
    #expect(Self.albert.count == 1 && Self.mobile.count == 2)
  }

  @Test(arguments: albert)
  func blocksThatShareWeightsAreFitted(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let model = try Self.texts.assemble(row, in: folder)
    let inputs = try EncoderTable.write(EncoderTable.texts, to: folder.path("inputs.jsonl"))
    let theirs = try OutputMatrix(npy: Self.texts.shared(try row.files(of: nil).vectors))
    let (rounded, fitted) = try errors(of: model, inputs, theirs, in: folder)
    #expect(fitted < 0.5 * rounded)
  }

  @Test(arguments: mobile)
  func depthwiseConvolutionsAreFitted(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let model = try Self.images.assemble(row, in: folder)
    let inputs = folder.path("inputs.jsonl")
    let lines = try Self.images.pictures.map {
      #"{"image": "\#(Self.images.folder)/pictures/\#($0)"}"# + "\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: inputs))
    let theirs = try OutputMatrix(npy: Self.images.shared(try #require(row.images)))
    let (rounded, fitted) = try errors(of: model, inputs, theirs, in: folder)
    #expect(fitted < 0.5 * rounded)
  }

  /// The mean squared differences from the library's answers, without and with calibration.
  private func errors(
    of model: String, _ inputs: String, _ theirs: OutputMatrix, in folder: TemporaryFolder
  ) throws -> (rounded: Double, fitted: Double) {
    let found = try [[], ["--calibration", inputs]].map { flags in
      let output = folder.path("small.safetensors")
      let run = try Program.run(
        ["compress", model, "-o", output] + Self.palettes + flags, in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      let ours = try ModelRunner(model: try ModelLoader.open(output), jobs: 1)
        .outputs(for: try InputLines.read(inputs))
      try #require(ours.values.count == theirs.values.count)
      return zip(ours.values, theirs.values).reduce(0.0) {
        $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1)
      }
    }
    return (found[0], found[1])
  }
}

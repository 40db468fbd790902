import ArgumentParser
import Emission
import Graph
import StrictJSON
import WeightCompression

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Say what compression would do to every tensor, and compute nothing else.",
    discussion: """
      No weight is read: schemes and bytes follow from shapes alone, and 'compress' with the same \
      options stores exactly these bytes of numbers.

      Examples:
        ingot plan MODEL --scheme palettize --bits 4
        ingot plan MODEL --format mlpackage --scheme palettize --bits 3
        ingot plan CLIP --encoder text --scheme palettize --bits 4
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var model: String

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var format: FormatFlags
  @OptionGroup var compression: CompressionFlags
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let model = try encoder.open(model).chosen
      let tensors = try planned(model)
      guard format.isPackage else {
        let bytes = tensors.map(\.byteCount)
        return try shared.answer(
          console, text: text(tensors, bytes, nil), json: json(tensors, bytes, nil))
      }
      let options = try format.options()
      let target = try options.target(of: model, tensors)
      let bytes = try options.storedBytes(of: tensors, model)
      try shared.answer(
        console, text: text(tensors, bytes, target), json: json(tensors, bytes, target))
    }
  }

  private func planned(_ model: Model) throws -> [PlannedTensor] {
    do {
      return try WeightCompressor.plan(
        weights: try model.usedWeights(), options: try compression.options(floats: format.floats))
    } catch CompressionError.refused(let refusals) {
      let count = Numbers.count(refusals.count, "tensor")
      throw Failure(
        message: "\(self.model): \(count) cannot be compressed as asked",
        details: refusals.map(\.description))
    }
  }

  private func text(
    _ tensors: [PlannedTensor], _ bytes: [Int], _ target: DeploymentTarget?
  ) -> String {
    var table = TextTable([
      ("tensor", .left), ("role", .left), ("shape", .left), ("scheme", .left), ("bytes", .right),
    ])
    for (tensor, bytes) in zip(tensors, bytes) {
      table.add([
        tensor.name, tensor.role.label, Numbers.shape(tensor.shape), tensor.schemeLabel,
        "\(bytes)",
      ])
    }
    var text = shared.quiet ? "" : table.text
    text +=
      "\(model): \(Numbers.count(tensors.count, "tensor")), \(Numbers.bytes(bytes.reduce(0, +)))\n"
    if let target {
      text += "specification version \(target.specificationVersion), opset \(target.opset): "
      text += "\(target.rawValue) and later\n"
    }
    return text
  }

  private func json(
    _ tensors: [PlannedTensor], _ bytes: [Int], _ target: DeploymentTarget?
  ) -> JSONValue {
    let list = zip(tensors, bytes).map { tensor, bytes -> JSONValue in
      [
        "name": .string(tensor.name), "role": .string(tensor.role.label),
        "shape": .array(tensor.shape.map(JSONValue.integer)),
        "scheme": .string(tensor.schemeLabel), "bits": .integer(tensor.bits),
        "bytes": .integer(bytes),
        "minimumDeploymentTarget": format.isPackage
          ? .string(DeploymentTarget.lowest(for: tensor.scheme).rawValue) : .null,
      ]
    }
    return [
      "path": .string(model), "format": .string(format.format), "tensors": .array(list),
      "bytes": .integer(bytes.reduce(0, +)),
      "minimumDeploymentTarget": target.map { .string($0.rawValue) } ?? .null,
      "specificationVersion": target.map { .integer($0.specificationVersion) } ?? .null,
      "opset": target.map { .string($0.opset) } ?? .null,
    ]
  }
}

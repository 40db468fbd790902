import Files
import Formats
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The findings of `inspect` on a model that is a folder of some format.
struct PackageInspection {
  private let path: String
  private let package: FolderInspection
  private let tensors: [TensorInspection]
  private let findings: FindingList
  private let trees: [TreeInspection]

  init(_ path: String, in format: FolderFormat) throws {
    self.path = path
    package = try format.inspect(path, ModelFiles(folder: Folder.parent(of: path)))
    trees = try TreeInspection.all(of: package.model)
    let arrays = try Set(PlacedTrees.all(of: package.model.architecture).flatMap(\.tensorNames))
    var tensors: [TensorInspection] = []
    let masks = Set(package.mendedMasks)
    var findings = PackageInspection.findings(of: package)
    for constant in package.constants {
      let tensor = DiagnosedTensor(
        constant.name, constant.shape, .stored, type: constant.storage, isInteger: false,
        isOfTrees: arrays.contains(constant.name))
      let statistics = tensor.statistics(of: try package.model.weights.floats(of: constant.name))
      tensors.append(
        TensorInspection(
          name: constant.name, type: constant.storage, shape: constant.shape,
          byteCount: constant.byteCount, role: constant.role, statistics: statistics))
      if !masks.contains(constant.name.text) {
        findings += TensorDiagnosis.findings(
          of: tensor, statistics, floats: ModelFormat.floats)
      }
    }
    self.tensors = tensors
    self.findings = FindingList(findings)
  }

  // Oddities of numbers that are not weights.
  private static func findings(of package: FolderInspection) -> [Finding] {
    package.mendedMasks.map { .mendedMask($0, hidden: package.hiddenValue) }
      + package.oddNumbers.map {
        .oddNumber($0.name, $0.number, "is \($0.number), read by \($0.place)")
      }
  }

  private var byteCount: Int { package.constants.reduce(0) { $0 + $1.byteCount } }

  var text: String {
    var text = TensorInspection.table(tensors) + "\n"
    text += "\(path): \(package.format), \(Figures.count(tensors.count, "tensor")), "
    text += "\(Figures.bytes(byteCount))\n"
    text += package.factLine + "\n"
    for line in trees.flatMap(\.lines) { text += line.printable(keepsLines: false) + "\n" }
    for input in package.inputs { text += "takes " + line(input) }
    for output in package.outputs { text += "gives " + line(output) }
    for (key, value) in package.metadata.sorted(by: { $0.key < $1.key }) {
      text += "\(key.printable(keepsLines: false)): \(value.printableValue)\n"
    }
    return text + findings.text
  }

  private func line(_ feature: FolderInspection.Feature) -> String {
    let words = feature.description.isEmpty ? "" : ": \(feature.description)"
    return "'\(feature.name)', \(feature.type)\(words)".printable(keepsLines: false) + "\n"
  }

  var json: JSONValue {
    let own = Dictionary(package.facts.map { ($0.name, $0.value) }) { first, _ in first }
    let common: [String: JSONValue] = [
      "path": .string(path), "format": .string(package.format.name),
      "architecture": .string(type(of: package.model.architecture).name),
      "inputs": .array(package.inputs.map(PackageInspection.json)),
      "outputs": .array(package.outputs.map(PackageInspection.json)),
      "operations": .object(package.operations.mapValues(JSONValue.integer)),
      "metadata": .object(package.metadata.mapValues(JSONValue.string)),
      "tensors": .array(tensors.map(\.json)),
      "findings": findings.json, "trees": .array(trees.map(\.json)),
    ]
    return .object(own.merging(common) { _, common in common })
  }

  private static func json(_ feature: FolderInspection.Feature) -> JSONValue {
    [
      "name": .string(feature.name), "type": .string(feature.type),
      "description": .string(feature.description),
    ]
  }
}

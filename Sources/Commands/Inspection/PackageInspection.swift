import Files
import Formats
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The findings of `inspect` on a Core ML package.
struct PackageInspection {
  private let path: String
  private let package: CoreMLInspection
  private let tensors: [TensorInspection]
  private let findings: FindingList

  init(_ path: String) throws {
    self.path = path
    package = try CoreMLInspection(path, files: ModelFiles(folder: Folder.parent(of: path)))
    var tensors: [TensorInspection] = []
    let masks = Set(package.mendedMasks)
    var findings = PackageInspection.findings(of: package)
    for constant in package.constants {
      let tensor = DiagnosedTensor(
        constant.name, constant.shape, .stored, type: constant.storage, isInteger: false)
      let statistics = tensor.statistics(of: try package.model.weights.floats(of: constant.name))
      tensors.append(
        TensorInspection(
          name: constant.name, type: constant.storage, shape: constant.shape,
          byteCount: constant.byteCount, role: constant.role, statistics: statistics))
      if !masks.contains(constant.name.text) {
        findings += TensorDiagnosis.findings(of: tensor, statistics)
      }
    }
    self.tensors = tensors
    self.findings = FindingList(findings)
  }

  // Oddities of numbers that are not weights.
  private static func findings(of package: CoreMLInspection) -> [Finding] {
    package.mendedMasks.map { .mendedMask($0, hidden: CoreMLInspection.hiddenValue) }
      + package.faults.map {
        .oddNumber($0.name, $0.number, "is \($0.number), read by \($0.place)")
      }
  }

  private var byteCount: Int { package.constants.reduce(0) { $0 + $1.byteCount } }

  private var target: String {
    let target = DeploymentTarget.allCases.first {
      $0.specificationVersion == package.specificationVersion
    }
    return target.map { "\($0.rawValue) and later" } ?? "a system this version does not know"
  }

  var text: String {
    var text = TensorInspection.table(tensors) + "\n"
    text += "\(path): mlpackage, \(Figures.count(tensors.count, "tensor")), "
    text += "\(Figures.bytes(byteCount))\n"
    text += "specification version \(package.specificationVersion), opset \(package.opset): "
    text += "\(target)\n"
    for input in package.inputs { text += "takes " + line(input) }
    for output in package.outputs { text += "gives " + line(output) }
    for (key, value) in package.metadata.sorted(by: { $0.key < $1.key }) {
      text += "\(key.printable(keepsLines: false)): \(value.printableValue)\n"
    }
    return text + findings.text
  }

  private func line(_ feature: CoreMLInspection.Feature) -> String {
    let words = feature.description.isEmpty ? "" : ": \(feature.description)"
    return "'\(feature.name)', \(feature.type)\(words)".printable(keepsLines: false) + "\n"
  }

  var json: JSONValue {
    [
      "path": .string(path), "format": .string(CoreMLPackage.name),
      "architecture": .string(type(of: package.model.architecture).name),
      "specificationVersion": .integer(package.specificationVersion),
      "opset": .string(package.opset),
      "inputs": .array(package.inputs.map(PackageInspection.json)),
      "outputs": .array(package.outputs.map(PackageInspection.json)),
      "operations": .object(package.operations.mapValues(JSONValue.integer)),
      "metadata": .object(package.metadata.mapValues(JSONValue.string)),
      "tensors": .array(tensors.map(\.json)),
      "findings": findings.json,
    ]
  }

  private static func json(_ feature: CoreMLInspection.Feature) -> JSONValue {
    [
      "name": .string(feature.name), "type": .string(feature.type),
      "description": .string(feature.description),
    ]
  }
}

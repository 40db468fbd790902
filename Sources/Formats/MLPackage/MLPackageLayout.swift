/// Paths of the parts of a package; the same as coremltools'.
package enum MLPackageLayout {
  /// The suffix of packages of this format on disk.
  package static let suffix = ".mlpackage"
  package static let manifest = "Manifest.json"
  /// The folder that paths of the manifest start from.
  package static let data = "Data"
  /// The program, from the package's folder.
  package static let model = "\(data)/\(modelItem)"
  /// The weights file, from the package's folder.
  package static let weights = "\(data)/\(weightsItem)/weight.bin"

  /// The program and the folder of weights as items of the manifest.
  static let modelItem = "com.apple.CoreML/model.mlmodel"
  static let weightsItem = "com.apple.CoreML/weights"
  /// The name of the model's folder in a program's blob references.
  static let modelFolder = "@model_path/"

  /// The fault of a path that should lead from one folder of a package to something below it; nil
  /// when it does.
  static func fault(ofRelative path: String) -> String? {
    if path.isEmpty { return "is empty" }
    if path.utf8.count > 1024 { return "has \(path.utf8.count) bytes, at most 1024 are read" }
    if path.utf8.first == UInt8(ascii: "/") { return "is absolute" }
    if path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "holds a control character"
    }
    for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.isEmpty { return "has an empty part" }
      if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
        return "has the part '\(String(decoding: part, as: UTF8.self))'"
      }
    }
    return nil
  }
}

import Formats
import Graph
import Reports
import Weights

/// The weights of a model that was made before, as its file holds them.
enum StoredWeights {
  /// Each weight with the bytes of all tensors that store it: itself, or its parts, whose names go on
  /// behind its own.
  ///
  /// - Parameter path: of the model. Of a package, whose program holds its weights, none are told.
  static func all(of model: Model, at path: String) throws -> [ReportedWeight] {
    guard ModelFormat.meant(by: path)?.folder == nil else { return [] }
    let stored = try ModelWeights.open(path).tensors
    let used = try model.usedWeights()
    let names = Dictionary(used.map { ($0.name.text, $0) }) { first, _ in first }
    var parts: [String: [Tensor]] = [:]
    for tensor in stored {
      if let name = owner(of: tensor.name.text, among: names) {
        parts[name, default: []].append(tensor)
      }
    }
    var seen: Set<String> = []
    return used.filter { seen.insert($0.name.text).inserted }.map { weight in
      let tensors = parts[weight.name.text] ?? []
      let types = tensors.map(\.elementType.rawValue)
      return ReportedWeight(
        name: weight.name.text, shape: weight.shape,
        scheme: types.isEmpty
          ? "stored with another" : "stored as " + types.joined(separator: " + "),
        byteCount: tensors.reduce(0) { $0 + $1.byteCount }, error: nil)
    }
  }

  /// The longest weight's name that a tensor's name is, or goes on from.
  private static func owner(
    of name: String, among weights: [String: WeightReference]
  ) -> String? {
    var name = name
    while weights[name] == nil {
      guard let dot = name.lastIndex(of: ".") else { return nil }
      name = String(name[..<dot])
    }
    return name
  }
}

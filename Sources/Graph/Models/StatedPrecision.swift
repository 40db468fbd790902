import StrictJSON
package import Weights

/// The type in which transformers loads a model's weights: `dtype`, once `torch_dtype`, of its
/// `config.json`.
///
/// Version 5 rounds the weights of a file to it; version 4 does so only for `pipeline`, which runs
/// classifiers, and loads everything else in float32.
package enum StatedPrecision {
  /// Keys of the type; the first that is there counts.
  private static let keys = ["dtype", "torch_dtype"]
  /// The first version that takes the type for every model.
  private static let firstVersion = 5
  /// Parts of names whose weights stay float32 where the type is float16, by `model_type`.
  private static let kept = ["t5": ["wo"]]

  /// Refuses a model whose weights the library would round, so that it computes with others than
  /// those of the file.
  ///
  /// - Parameter weights: the files as trained that the model was opened from.
  /// - Throws: `ModelError.unsupported`, which names file, key, value, and the first such weight.
  package static func check(_ model: Model, _ weights: WeightCollection) throws {
    for path in model.architecture.describingFiles
    where path.split(separator: "/").last == "config.json" {
      guard let config = try model.files.object(path), let type = config["model_type"]?.string,
        let key = keys.first(where: { config.has($0) }), let word = config[key]?.string,
        isTaken(by: model, config)
      else { continue }
      try check(model, weights, path: path, type: type, key: key, word: word)
    }
  }

  private static func check(
    _ model: Model, _ weights: WeightCollection, path: String, type: String, key: String,
    word: String
  ) throws {
    let others = folders(beside: path, of: model)
    for name in try model.usedWeights().map(\.name) {
      guard let stored = weights[name]?.elementType, !others.contains(where: name.text.hasPrefix),
        !(word == "float16" && name.hasPart(of: kept[type] ?? [])),
        try !isHeld(name, stored: stored, in: word, weights)
      else { continue }
      throw ModelError.unsupported(
        place: "\(model.files.name(of: path)): '\(key)'",
        found: "\(quoted(word)) beside \(quoted(name)) of type \(stored.rawValue), which "
          + "transformers rounds when it loads the model,",
        supported: "a type that holds all weights as they are, as \"float32\" does; save the "
          + "model in \(quoted(word)), or write the type of its weights here")
    }
  }

  /// Whether the library that saved a model, or runs it, loads the weights in the stated type.
  private static func isTaken(by model: Model, _ config: JSONObject) -> Bool {
    switch model.architecture.output {
    case .classes, .tokenClasses: return true
    case .embedding, .numbers: break
    }
    let version = config["transformers_version"]?.string?.split(separator: ".").first
    return version.flatMap { Int($0) }.map { $0 >= firstVersion } ?? true
  }

  /// Whether a type holds every value of a weight.
  private static func isHeld(
    _ name: TensorName, stored: ElementType, in word: String, _ weights: WeightCollection
  ) throws -> Bool {
    let holds: (Float) -> Bool
    switch (word, stored) {
    case ("float32", _), ("float64", _), ("float16", .f16), ("bfloat16", .bf16): return true
    case ("float16", _): holds = isHalf
    case ("bfloat16", _): holds = { $0.bitPattern & 0xFFFF == 0 }
    default: return false
    }
    var isHeld = true
    try weights.forEachPiece(of: name) { piece in
      for place in piece.indices where isHeld { isHeld = holds(piece[place]) }
      return isHeld
    }
    return isHeld
  }

  /// Whether float16 has a value: 11 significant bits, and multiples of 2⁻²⁴ below 2⁻¹⁴.
  private static func isHalf(_ value: Float) -> Bool {
    guard value.magnitude <= 65504 else { return false }
    guard value.magnitude < 0x1p-14 else { return value.bitPattern & 0x1FFF == 0 }
    let steps = value * 0x1p24
    return steps == steps.rounded()
  }

  /// What the names of weights in the folders of other modules begin with.
  private static func folders(beside path: String, of model: Model) -> [String] {
    func folder(_ path: String) -> String {
      path.split(separator: "/").dropLast().joined(separator: "/")
    }
    let others = Set(model.architecture.describingFiles.map(folder)).subtracting([folder(path), ""])
    return others.map { "\($0)." }
  }
}

extension TensorName {
  /// Whether one of the parts between its dots is one of these words.
  fileprivate func hasPart(of words: [String]) -> Bool {
    text.split(separator: ".").contains { words.contains(String($0)) }
  }
}

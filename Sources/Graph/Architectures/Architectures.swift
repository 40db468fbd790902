/// Every architecture Ingot knows, in the order they are tried.
package enum Architectures {
  package static let all: [any RecognisedArchitecture.Type] = [Bert.self, Dense.self]

  /// The architecture of a model, recognised from its own files.
  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> any Architecture {
    for type in all {
      if let architecture = try type.recognise(files, weights: weights) { return architecture }
    }
    throw ModelError.notRecognised(
      origin: files.origin, lookedFor: all.map { "\($0.name): \($0.signature)" })
  }
}

/// Why a folder or file is not a model Ingot can run.
package enum ModelError: Error, Equatable, CustomStringConvertible {
  case notRecognised(origin: String, lookedFor: [String])
  /// The model asks for something that is not supported; `place` names the file and key.
  case unsupported(place: String, found: String, supported: String)
  case missingFile(origin: String, path: String, mend: String)
  case missingWeight(origin: String, name: String)
  /// Two weights of the model have names of other bytes and the same characters.
  case ambiguousName(origin: String, name: String)
  case wrongShape(origin: String, name: String, found: [Int], expected: [Int])

  package var description: String {
    switch self {
    case .notRecognised(let origin, let lookedFor):
      "\(origin): no architecture was recognised; looked for "
        + lookedFor.joined(separator: "; ")
    case .unsupported(let place, let found, let supported):
      "\(place): \(found) is not supported; supported: \(supported)"
    case .missingFile(let origin, let path, let mend):
      "\(origin): '\(path)' is missing; \(mend)"
    case .missingWeight(let origin, let name):
      "\(origin): the model needs a weight '\(name)', which is not there"
    case .ambiguousName(let origin, let name):
      "\(origin): two weights are called '\(name)', in two Unicode spellings; rename one"
    case .wrongShape(let origin, let name, let found, let expected):
      "\(origin): weight '\(name)' has shape \(found), the model needs \(expected)"
    }
  }
}

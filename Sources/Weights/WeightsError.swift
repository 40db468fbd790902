package import Files
package import StrictJSON

/// Why weights cannot be read.
package enum WeightsError: Error, Equatable, CustomStringConvertible {
  /// The system refused a file or folder.
  case file(FileError)
  /// A header or index is not the JSON it must be.
  case json(JSONError)
  /// A file that as a whole violates its format. `place` is its path, or path and member.
  case malformed(place: String, fault: String)
  /// One tensor of a file is at fault.
  case tensor(name: TensorName, place: String, fault: String)
  /// The path names nothing weights can be read from.
  case noWeights(path: String, lookedFor: String)
  /// The path leads to another program's output; `mend` says how to get weights from it.
  case foreign(path: String, kind: String, mend: String)
  /// The values have a type that is not converted to Float.
  case notConvertible(name: TensorName, place: String, type: ElementType)

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .json(let error): error.description
    case .malformed(let place, let fault): "\(place): \(fault)"
    case .tensor(let name, let place, let fault): "\(place): tensor \(quoted(name)) \(fault)"
    case .noWeights(let path, let lookedFor): "\(path): no weights found; looked for \(lookedFor)"
    case .foreign(let path, let kind, let mend): "\(path): is \(kind), which is not read; \(mend)"
    case .notConvertible(let name, let place, let type):
      "\(place): tensor \(quoted(name)) is \(type.rawValue), which is not converted to numbers"
    }
  }
}

package import Gate
import Inputs
import StrictJSON
package import WeightCompression
import Weights

/// Another way to store one weight of a candidate.
package struct Repair: Hashable, Sendable {
  /// The way.
  package enum Way: Hashable, Sendable {
    /// The weight as trained, stored as the candidate stores it now.
    case asTrained(Scheme?)
    case scheme(Scheme)
    /// Without compression.
    case kept
  }

  package let place: MendBench.Place
  /// The bias that fitting moved with the weight, which is the baseline's again; nil if there is none.
  package let bias: MendBench.Place?
  package let way: Way
  /// Bytes that the model grows by.
  package let extraBytes: Int

  /// The scheme it is stored by; nil if it is uncompressed.
  package var scheme: Scheme? {
    switch way {
    case .asTrained(let scheme): scheme
    case .scheme(let scheme): scheme
    case .kept: nil
    }
  }

  /// `palette 6 bits in groups of 16 for 'w'`.
  ///
  /// - Parameter names: of the weights that are stored so.
  func words(for names: String) -> String {
    switch way {
    case .asTrained: "taking \(names) from the model as trained"
    case .scheme(let scheme): "\(scheme.label) for \(names)"
    case .kept: "leaving \(names) uncompressed"
    }
  }

  var json: JSONValue {
    let word: String
    switch way {
    case .asTrained: word = "as-trained"
    case .scheme: word = "scheme"
    case .kept: word = "kept"
    }
    return [
      "weight": .string(place.name.text),
      "encoder": place.encoder.map { .string("\($0)") } ?? .null, "way": .string(word),
      "scheme": scheme.map { .string($0.label) } ?? .null, "extraBytes": .integer(extraBytes),
    ]
  }
}

package import Gate
package import Packaging
import StrictJSON

/// A fact that a replay finds otherwise than a package records it.
package enum ReplayDifference: Equatable, Sendable {
  /// A value of the receipt; nil is one that is not there.
  case receipt(Subject, recorded: String?, found: String?)
  /// A fact of the manifest about the model.
  case manifest(EntryComparison.Difference)
  /// A limit that the model was held to, weaker than what the project asks for; infinite where it was held
  /// to none.
  case limit(Limits.Key, held: Double, requested: Double)
  /// The self-test is not what the packaged model gives of the references.
  case selfTest
  /// The packaged model cannot be read, which was read when it was judged.
  case unreadable(reason: String)

  /// The thing that a value of a receipt is of.
  package enum Subject: Equatable, Sendable {
    /// A field of the receipt itself, by its dotted name: `metrics.cosine.min`.
    case field(String)
    /// The weights of the model as trained.
    case weights(path: String)
    /// A file that describes the model as trained.
    case file(path: String)
    case references(path: String)
    /// Outputs that were made elsewhere.
    case vectors(path: String)
    /// The inputs of such outputs, whose file this is.
    case inputs(ofVectors: String)
    case calibration(path: String)
    /// The texts whose tokens stayed.
    case corpus(path: String)
  }
}

extension ReplayDifference {
  /// The difference as a sentence.
  package var sentence: String {
    switch self {
    case .receipt(let subject, let recorded, let found):
      "\(subject.words): recorded \(recorded ?? "nothing"), found \(found ?? "nothing")"
    case .manifest(let difference):
      "manifest: \(difference.field): recorded \(difference.manifest), found \(difference.found)"
    case .limit(let key, let held, let requested):
      "limits: held to \(key.words) \(held.isFinite ? Figures.plain(held) : "none"), the project asks for "
        + "\(key.isFloor ? "at least" : "at most") \(Figures.plain(requested))"
    case .selfTest: "the self-test is not what the packaged model gives"
    case .unreadable(let reason): "the packaged model cannot be read: \(reason)"
    }
  }
}

extension ReplayDifference.Subject {
  fileprivate var words: String {
    switch self {
    case .field(let name): name
    case .weights(let path): "weights of '\(path)'"
    case .file(let path): "'\(path)'"
    case .references(let path): "reference set '\(path)'"
    case .vectors(let path): "vectors '\(path)'"
    case .inputs(let path): "inputs of '\(path)'"
    case .calibration(let path): "calibration set '\(path)'"
    case .corpus(let path): "corpus '\(path)'"
    }
  }

  /// The kind for programs, one word, and the field or the path.
  fileprivate var members: (what: String, key: String, value: String) {
    switch self {
    case .field(let name): ("receipt", "field", name)
    case .weights(let path): ("weights", "path", path)
    case .file(let path): ("file", "path", path)
    case .references(let path): ("references", "path", path)
    case .vectors(let path): ("vectors", "path", path)
    case .inputs(let path): ("inputs", "path", path)
    case .calibration(let path): ("calibration", "path", path)
    case .corpus(let path): ("corpus", "path", path)
    }
  }
}

extension ReplayDifference {
  /// `what`, `sentence`, and the values that differ.
  var json: JSONValue {
    var members: [String: JSONValue]
    switch self {
    case .receipt(let subject, let recorded, let found):
      let (what, key, value) = subject.members
      members = [
        "what": .string(what), key: .string(value),
        "recorded": recorded.map(JSONValue.string) ?? .null,
        "found": found.map(JSONValue.string) ?? .null,
      ]
    case .manifest(let difference):
      members = [
        "what": "manifest", "field": .string(difference.field),
        "recorded": .string(difference.manifest), "found": .string(difference.found),
      ]
    case .limit(let key, let held, let requested):
      members = [
        "what": "limit", "limit": .string(key.rawValue),
        "held": held.isFinite ? .double(held) : .null,
        "requested": .double(requested),
      ]
    case .selfTest: members = ["what": "selfTest"]
    case .unreadable(let reason): members = ["what": "unreadable", "reason": .string(reason)]
    }
    members["sentence"] = .string(sentence)
    return .object(members)
  }
}

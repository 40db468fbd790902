package import Files
import StrictJSON
package import Weights

/// Why a folder or file is not a model Ingot can run.
package enum ModelError: Error, Equatable, NamesOptions {
  /// No file says which model it is; or one says a kind that is read, `found`, whose other files, those
  /// of `lookedFor`, are not there.
  case notRecognised(origin: String, found: String?, lookedFor: [String])
  /// The model states an architecture that is not supported; `name` is the one in its file, `nearest`
  /// are the most similar names that are read, and `programs` says how people can have it read all the
  /// same, each to follow "or".
  case otherArchitecture(place: String, name: String, nearest: [String], programs: [String])
  /// The program of a model does not fit together.
  case graph(origin: String, GraphError)
  /// The model has several encoders and none was chosen.
  case severalEncoders(origin: String)
  /// The requested encoder is missing; `found` is empty for a model without a choice.
  case noEncoder(origin: String, requested: EncoderKind, found: [EncoderKind])
  /// The model has no prompt of the requested name.
  case noPrompt(origin: String, requested: String, found: [String])
  /// A prompt was requested of a model that takes none, or that holds its own.
  case promptNotTaken(origin: String, reason: String)
  /// A pooling was requested of a model that has its own, or none.
  case poolingNotTaken(origin: String, reason: String)
  /// The model asks for something that is not supported; `place` names the file and key.
  case unsupported(place: String, found: String, supported: String)
  case missingFile(origin: String, path: String, mend: String)
  /// A model of texts, or a package of one, has no tokenizer beside it.
  case missingTokenizer(origin: String, isPackage: Bool)
  /// Nothing says how the vectors of tokens become one; `files` would.
  case missingPooling(origin: String, files: String)
  /// Nothing says how an image becomes the input of an encoder that has a text encoder beside it.
  case missingProcessor(origin: String, path: String, mend: String)
  case missingWeight(origin: String, name: TensorName)
  /// Two weights of the model have names of other bytes and the same characters.
  case ambiguousName(origin: String, name: TensorName)
  case wrongShape(origin: String, name: TensorName, found: [Int], expected: [Int])

  package func words(_ name: UserOption.Names) -> String {
    switch self {
    case .notRecognised(let origin, let found, let lookedFor):
      "\(origin): no architecture was recognised; "
        + (found.map {
          "the model is called \($0), looked for \(lookedFor.joined(separator: "; or ")); "
        }
          ?? "no config.json or model.json names one; ")
        + "give the whole folder that the library saved, its config.json included, or write a "
        + "model.json for a network of linear layers; \(Architectures.page) lists what is read"
    case .otherArchitecture(let place, let found, let nearest, let programs):
      "\(place): calls the model \(found), which is not read; "
        + (nearest.isEmpty ? "" : "the nearest that are: \(nearest.joined(separator: ", ")); ")
        + "\(Architectures.page) lists all" + programs.map { "; or \($0)" }.joined()
    case .graph(let origin, let error): "\(origin): \(error)"
    case .severalEncoders(let origin):
      "\(origin): has an image encoder and a text encoder; choose one"
        + (name(.encoder).map { option in
          ": " + EncoderKind.allCases.map { "\(option) \($0.rawValue)" }.joined(separator: " or ")
        } ?? "")
    case .noEncoder(let origin, let requested, let found):
      found.isEmpty
        ? "\(origin): is one encoder as a whole, not the \(requested.rawValue) encoder of several; "
          + "leave out \(name(.encoder) ?? "the choice")"
        : "\(origin): has no \(requested.rawValue) encoder, only the one for "
          + found.map { "\($0.rawValue)s" }.joined(separator: " and ")
    case .noPrompt(let origin, let requested, let found):
      "\(origin): has no prompt \(quoted(requested)); "
        + (found.isEmpty
          ? "it has none; give a text of your own instead"
          : "it has \(found.map { quoted($0) }.joined(separator: ", "))")
    case .promptNotTaken(let origin, let reason):
      "\(origin): \(reason); leave the prompt out"
    case .poolingNotTaken(let origin, let reason):
      "\(origin): \(reason); leave out \(name(.pooling) ?? "the pooling")"
    case .unsupported(let place, let found, let supported):
      "\(place): \(found) is not supported; supported: \(supported)"
    case .missingFile(let origin, let path, let mend):
      "\(origin): '\(path)' is missing; \(mend)"
    case .missingTokenizer(let origin, let isPackage):
      "\(origin): 'tokenizer.json' is missing; a model that takes text needs it"
        + (isPackage ? "; put it beside the package" : "")
        + (isPackage ? name(.tokenizer).map { ", or give \($0)" } ?? "" : "")
    case .missingPooling(let origin, let files):
      "\(origin): '\(SentenceModules.file)' is missing; no file says how the vectors of tokens "
        + "become the one of a text, and a guess could be wrong unseen; "
        + (name(.pooling).map {
          "if you know it, give \($0) with one of \(PoolingMode.words) (sentence-transformers "
            + "takes the mean of such a folder), or "
        } ?? "") + "write two files, here for the mean: \(files)"
    case .missingProcessor(let origin, let path, let mend):
      "\(origin): '\(path)' is missing; \(mend); the text encoder alone needs neither"
        + (name(.encoder).map { " (\($0) text)" } ?? "")
    case .missingWeight(let origin, let weight):
      "\(origin): the model needs a weight '\(weight)', which is not there"
    case .ambiguousName(let origin, let weight):
      "\(origin): two weights are called '\(weight)', in two Unicode spellings; rename one"
    case .wrongShape(let origin, let weight, let found, let expected):
      "\(origin): weight '\(weight)' has shape \(found), the model needs \(expected)"
    }
  }
}

extension ModelError {
  /// Does what may find a fault of a model's graph, and names the model then.
  ///
  /// - Throws: `ModelError.graph`.
  package static func placing<Result>(
    _ origin: String, _ work: () throws(GraphError) -> Result
  ) throws(ModelError) -> Result {
    do throws(GraphError) {
      return try work()
    } catch {
      throw .graph(origin: origin, error)
    }
  }

  /// Whether the error is about the requested prompt.
  package var isAboutPrompt: Bool {
    switch self {
    case .noPrompt, .promptNotTaken: true
    default: false
    }
  }
}

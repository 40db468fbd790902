import Files
import Formats
import Graph
import Inputs
import StrictJSON
import Weights

/// Opens models and reference sets for looking at them; what cannot be opened is noted, once.
struct ModelOpener {
  /// Who asks for a file: words for messages, and where it was asked for.
  struct Asker {
    let words: String
    let place: Place
    /// Where a prompt was chosen; nil if none was.
    var promptPlace: Place?
    /// Shows a line that a file of lines should hold; nil if no model says which.
    var example: String?
  }

  /// A model as it is asked for.
  private struct Source: Hashable {
    let path: String
    let prompt: PromptChoice?
    let encoder: EncoderKind?
  }

  let log: ContractSection.Log
  private var faultySources: Set<Source> = []
  private var faultyReferences: Set<String> = []
  /// Folders of models that were noted as missing; reference sets in them need no words of their own.
  private var missingFolders: Set<String> = []
  /// Looking for what was meant reads a whole folder.
  private var hintsLeft = 100
  // Jobs mostly come with the same source or set as the one before; keeping all open could be too
  // much for memory.
  private var source: (requested: Source, models: [Model])?
  private var references: (path: String, set: ReferenceSet)?

  init(log: ContractSection.Log) { self.log = log }

  /// Every encoder of the model at a path; nil when there is a fault.
  ///
  /// - Parameters:
  ///   - prompt: goes before every text, instead of the model's default.
  ///   - encoder: the only one that is wanted.
  mutating func models(
    at path: String, prompt: PromptChoice? = nil, encoder: EncoderKind? = nil, for asker: Asker
  ) -> [Model]? {
    let requested = Source(path: path, prompt: prompt, encoder: encoder)
    if let source, source.requested == requested { return source.models }
    guard faultySources.insert(requested).inserted else { return nil }
    guard isThere(path, .missingSource, "the source", asker) else { return nil }
    do {
      let models = try ModelLoader.encoders(of: path, prompt: prompt, requested: encoder)
      source = (requested, models)
      faultySources.remove(requested)
      return models
    } catch let error as ModelError where error.isAboutPrompt {
      log.faults.add(.badValue, asker.promptPlace ?? asker.place, "\(asker.words): \(error)")
      return nil
    } catch {
      log.faults.add(
        .unreadableSource, asker.place, "\(asker.words): \(error)", hint: hint(for: error))
      return nil
    }
  }

  /// The reference set at a path; nil when there is a fault.
  mutating func set(at path: String, for asker: Asker) -> ReferenceSet? {
    if let references, references.path == path { return references.set }
    guard faultyReferences.insert(path).inserted else { return nil }
    guard isThere(path, .missingReferences, "the reference set", asker) else { return nil }
    do {
      let set = try ReferenceSet(path: path)
      references = (path, set)
      faultyReferences.remove(path)
      return set
    } catch let error as JSONError {
      let isEmpty = (try? MappedFile(path: path).byteCount) == 0
      log.faults.add(
        isEmpty ? .emptyReferenceSet : .unreadableReferences, error, hint: asker.example)
    } catch {
      log.faults.add(.unreadableReferences, asker.place, "\(asker.words): \(error)")
    }
    return nil
  }

  private mutating func isThere(
    _ path: String, _ rule: Rule, _ kind: String, _ asker: Asker
  ) -> Bool {
    guard log.holds(path, "\(asker.words): \(kind)", at: asker.place) else { return false }
    guard Folder.kind(of: path) == .missing else { return true }
    let missing = MissingPath(path)
    if rule == .missingSource {
      missingFolders.insert(missing.missing)
    } else if missing.missing != path, missingFolders.contains(missing.missing) {
      return false
    }
    hintsLeft -= 1
    log.faults.add(
      rule, asker.place, "\(asker.words): \(missing.words(kind))",
      hint: hintsLeft >= 0 ? missing.hint : nil)
    return false
  }

  private func hint(for error: any Error) -> String? {
    switch error as? WeightsError {
    case .noWeights: "a source is a folder, a weight file, or a file that Ingot wrote"
    case .malformed, .tensor, .json: "fetch or export the weights again"
    case .file, .notConvertible, .foreign, nil: nil
    }
  }
}

import StrictJSON
package import Tokenization
import Weights

extension Model {
  /// The same model with some of its tokens: smaller tables, and a smaller tokenizer beside them.
  ///
  /// Rows keep their values and their order. Ids in the tokenizer's files and in `config.json` become
  /// the new ones.
  ///
  /// - Parameter record: what the tokens were chosen by.
  /// - Throws: if the model takes no texts, or its files cannot be read with fewer tokens.
  package func keeping(_ kept: KeptTokens, record: VocabularyRecord?) throws -> Model {
    let tables = try tokenTables(rows: kept.rowsBefore)
    let weights = ReducedWeights(self.weights, tables: tables, keeping: kept)
    let files = try files(keeping: kept)
    let encoders = try Architectures.encoders(
      files, weights: weights, requested: architecture.encoder)
    guard let smaller = encoders.first(where: { $0.encoder == architecture.encoder }) else {
      throw VocabularyError.otherArchitecture(origin: origin)
    }
    return try Model(
      origin: origin, architecture: smaller, files: files, weights: weights,
      calibration: calibration, recipe: recipe, vocabulary: record, keptTokens: kept)
  }

  /// The same model with the tokens that a smaller one has, found by their texts.
  ///
  /// Nothing that the smaller one says of its tokens is believed: they are counted, and those that
  /// dropping never takes have to be there.
  ///
  /// - Throws: `VocabularyError`, and a fault of the smaller tokenizer if it has a token that this one
  ///   has not, or in another order.
  package func keepingTokens(of smaller: Model) throws -> Model {
    guard case .tokens(_, let rows) = architecture.input,
      case .tokens(_, let fewer) = smaller.architecture.input
    else { throw VocabularyError.noTexts(origin: origin) }
    let ours = try tokenizerReduction(), theirs = try smaller.tokenizerReduction()
    let kept = try ours.kept(in: theirs, rows: rows)
    guard kept.ids.count == fewer else {
      throw VocabularyError.otherCount(
        origin: smaller.origin, tokens: kept.ids.count, rows: fewer)
    }
    if let record = smaller.vocabulary { try record.require(kept, of: smaller.origin) }
    let needed = try ours.kept(using: Set(kept.ids), rows: rows)
    guard needed == kept else {
      throw VocabularyError.missingTokens(
        origin: smaller.origin, tokens: needed.ids.count - kept.ids.count)
    }
    return try keeping(kept, record: smaller.vocabulary)
  }

  /// The maker of this model's tokenizer with fewer tokens.
  package func tokenizerReduction() throws -> TokenizerReduction {
    try TokenizerReduction(try files.tokenizerFiles(in: architecture.tokenizerFolder))
  }

  /// Names of the tables with a row for each token.
  private func tokenTables(rows: Int) throws -> Set<TensorName> {
    let tables = try usedWeights().filter { $0.role == .tokenTable && $0.shape.first == rows }
    guard !tables.isEmpty else { throw VocabularyError.noTexts(origin: origin) }
    return Set(tables.map(\.name))
  }

  private func files(keeping kept: KeptTokens) throws -> ModelFiles {
    let folder = architecture.tokenizerFolder
    func path(_ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
    var files = self.files
    for (name, bytes) in try tokenizerReduction().files(keeping: kept) {
      files = files.replacing(path(name.rawValue), by: bytes)
    }
    let config = path("config.json")
    if let object = try files.object(config) {
      files = files.replacing(config, by: JSONTree(object).renumbered(kept).bytes)
    }
    return files
  }
}

extension JSONTree {
  /// A `config.json` with the new ids of its tokens, and their number; those of encoders within it
  /// too.
  fileprivate func renumbered(_ kept: KeptTokens) -> JSONTree {
    guard let members else { return self }
    return .object(
      members.map { key, value in
        if key == "vocab_size", value.integer == kept.rowsBefore {
          return (key, .number("\(kept.ids.count)"))
        }
        if key.hasSuffix("_token_id") { return (key, value.renumberedIDs(kept)) }
        return (key, value.renumbered(kept))
      })
  }

  private func renumberedIDs(_ kept: KeptTokens) -> JSONTree {
    if let list = array { return .array(list.map { $0.renumberedIDs(kept) }) }
    guard let old = integer.flatMap({ Int32(exactly: $0) }), let new = kept.newID(of: old) else {
      return self
    }
    return .number("\(new)")
  }
}

extension VocabularyRecord {
  /// Refuses a record of other numbers than those of the tokens.
  fileprivate func require(_ tokens: KeptTokens, of origin: String) throws(VocabularyError) {
    guard kept == tokens.ids.count, dropped == tokens.dropped else {
      throw .otherRecord(
        origin: origin, stated: words, kept: tokens.ids.count, of: tokens.rowsBefore)
    }
  }
}

/// Why a model's vocabulary cannot be made smaller.
package enum VocabularyError: Error, Equatable, CustomStringConvertible {
  case noTexts(origin: String)
  case otherArchitecture(origin: String)
  case otherCount(origin: String, tokens: Int, rows: Int)
  /// A model states other numbers of kept and dropped tokens than it has; `of` are all.
  case otherRecord(origin: String, stated: String, kept: Int, of: Int)
  /// Tokens are gone that other tokens are made of, or that every text may need.
  case missingTokens(origin: String, tokens: Int)

  package var description: String {
    switch self {
    case .noTexts(let origin):
      "\(origin): has no table of tokens, so no tokens can be dropped"
    case .otherArchitecture(let origin):
      "\(origin): is read as another model once tokens are dropped"
    case .otherCount(let origin, let tokens, let rows):
      "\(origin): its tokenizer has \(tokens) tokens, its table \(rows) rows"
    case .otherRecord(let origin, let stated, let kept, let all):
      "\(origin): states that it \(stated), but it has \(kept) of the \(all) tokens of the model "
        + "that it is compared with"
    case .missingTokens(let origin, let tokens):
      "\(origin): lacks \(Figures.count(tokens, "token")) that its other tokens are made of or that "
        + "stay in any case: special, added and unknown ones, and single bytes"
    }
  }
}

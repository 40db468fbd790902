import StrictJSON
import SwiftProtobuf

/// The pieces of a SentencePiece model file (`spiece.model` and others), checked.
///
/// How SentencePiece itself would prepare a text (dummy prefix, white space as a suffix, extra white
/// space) is not here: the classes of the library `transformers` do that in their own way.
struct SentencePieceFile: Sendable {
  /// One piece of the vocabulary; its place is its id in the file.
  struct Piece: Equatable, Sendable {
    let text: String
    /// The logarithm of its probability, exact as a double.
    var score: Double
    var kind = Kind.normal

    /// What texts a piece has.
    enum Kind: Equatable, Sendable {
      /// Found by the model.
      case normal
      /// Never part of a text, as `<s>`.
      case control
      /// Always one token, whatever is around it.
      case userDefined
    }
  }

  /// The file's name in messages.
  let origin: String
  let pieces: [Piece]
  /// The place of the piece for unknown characters.
  let unknownID: Int
  /// The map of characters; nil if the model has none.
  let map: CharacterMap?

  /// Reads a file.
  ///
  /// - Parameter type: the only type of model that the tokenizer's class is supported with.
  /// - Throws: if the bytes are no such file, the model is of another type, or a piece is empty or
  ///   has a score that is not finite.
  init(
    _ file: TokenizerFiles.File, _ type: SentencePieceTraining.ModelType = .unigram
  ) throws(JSONError) {
    origin = file.origin
    let message = try SentencePieceFile.message(file, type)
    pieces = try SentencePieceFile.pieces(message.pieces, origin: file.origin)
    unknownID = Int(message.trainerSpec.unkID)
    guard pieces.indices.contains(unknownID) else {
      throw SentencePieceFile.error(
        file.origin, "has \(pieces.count) pieces, and its unknown piece has the id \(unknownID)")
    }
    map = try SentencePieceFile.map(message, origin: file.origin)
  }

  /// The file's contents, whose model must be of the type.
  static func message(
    _ file: TokenizerFiles.File, _ type: SentencePieceTraining.ModelType
  ) throws(JSONError) -> SentencePieceModel {
    let fault = { (fault: String) in SentencePieceFile.error(file.origin, fault) }
    let message: SentencePieceModel
    do { message = try SentencePieceModel(serializedBytes: file.bytes) } catch {
      throw fault("is not a model of SentencePiece: its protocol buffer cannot be read")
    }
    guard message.trainerSpec.modelType == type else {
      throw fault(
        "is a model of the type '\(message.trainerSpec.modelType)'; supported without "
          + "tokenizer.json: '\(type)'")
    }
    return message
  }

  /// The map of characters; nil if the model has none.
  static func map(
    _ message: SentencePieceModel, origin: String
  ) throws(JSONError) -> CharacterMap? {
    let bytes = [UInt8](message.normalizerSpec.precompiledCharsmap)
    do throws(CharacterMap.Fault) { return bytes.isEmpty ? nil : try CharacterMap(bytes) } catch {
      throw SentencePieceFile.error(origin, "'precompiled_charsmap' \(error.words)")
    }
  }

  /// The pieces, each with a text and a finite score.
  static func pieces(
    _ messages: [SentencePiecePiece], origin: String
  ) throws(JSONError) -> [Piece] {
    guard !messages.isEmpty, messages.count < 1 << 24 else {
      throw error(origin, "has \(messages.count) pieces, expected 1...\((1 << 24) - 1)")
    }
    var pieces: [Piece] = []
    pieces.reserveCapacity(messages.count)
    for (id, message) in messages.enumerated() {
      guard !message.piece.isEmpty else { throw error(origin, "the piece \(id) is empty") }
      guard message.score.isFinite else {
        throw error(origin, "the piece \(id) has the score \(message.score), expected a number")
      }
      pieces.append(
        Piece(text: message.piece, score: Double(message.score), kind: kind(message.type)))
    }
    return pieces
  }

  private static func kind(_ type: SentencePiecePiece.Kind) -> Piece.Kind {
    switch type {
    case .control: .control
    case .userDefined: .userDefined
    case .normal, .unknown, .unused, .byte: .normal
    }
  }

  /// The ids of pieces by their place.
  ///
  /// - Parameter pieces: those of the file as a class has them.
  /// - Throws: if two are the same.
  func vocabulary(_ pieces: [Piece]) throws(JSONError) -> Vocabulary {
    try SentencePieceFile.vocabulary(pieces, origin: origin)
  }

  /// The ids of pieces by their place.
  ///
  /// - Throws: if two are the same.
  static func vocabulary(_ pieces: [Piece], origin: String) throws(JSONError) -> Vocabulary {
    var vocabulary = Vocabulary(capacity: pieces.count)
    for (id, piece) in pieces.enumerated() {
      if let other = vocabulary.id(of: piece.text) {
        throw error(
          origin, "the pieces \(other) and \(id) are the same, '\(piece.text.prefix(60))'")
      }
      vocabulary.insert(piece.text, id: Int32(id))
    }
    return vocabulary
  }

  /// A special token of the class, or a piece that is always one token.
  func addedEntry(_ text: String) -> AddedTokenEntry {
    AddedTokenEntry(text, origin: origin, position: JSONPosition(line: 1, column: 1))
  }

  /// A fault of the file as a whole.
  func error(_ fault: String) -> JSONError { SentencePieceFile.error(origin, fault) }

  /// A fault of a file as a whole.
  static func error(_ origin: String, _ fault: String) -> JSONError {
    JSONError(origin: origin, position: JSONPosition(line: 1, column: 1), fault: fault)
  }
}

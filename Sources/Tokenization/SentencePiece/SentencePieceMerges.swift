/// The merges of byte pairs that the library `transformers` makes of a SentencePiece model, whose
/// file has pieces and scores only.
///
/// Every way to cut a piece into two others is a merge. Source: `generate_merges` of transformers
/// 4.57, which orders merges by the score of the whole, and of 5.23, which orders them by its id.
enum SentencePieceMerges {
  private struct Merge {
    let left: Int32
    let right: Int32
    let whole: Int32
    /// Scalars of the left half and of the right one.
    let lengths: (left: Int, right: Int)
  }

  /// The merges, the first one with rank 0.
  ///
  /// - Parameter vocabulary: the ids of the pieces, their places.
  static func table(
    _ pieces: [SentencePieceFile.Piece], _ vocabulary: Vocabulary, _ library: TransformersLibrary
  ) -> MergeTable {
    var merges = pieces.indices.flatMap { cuts(of: pieces[$0], Int32($0), vocabulary) }
    if library == .four { merges = byScore(merges, pieces) }
    var table = MergeTable(capacity: merges.count)
    // No pair appears twice: the texts of the halves give the text of the whole.
    for merge in merges { _ = table.append(merge.left, merge.right, id: merge.whole) }
    return table
  }

  /// The merges that make a piece, those with a short left half first.
  private static func cuts(
    of piece: SentencePieceFile.Piece, _ id: Int32, _ vocabulary: Vocabulary
  ) -> [Merge] {
    let scalars = piece.text.unicodeScalars.map(\.value)
    return scalars.indices.dropFirst().compactMap { cut in
      guard let left = vocabulary.id(of: scalars[..<cut]),
        let right = vocabulary.id(of: scalars[cut...])
      else { return nil }
      return Merge(
        left: left, right: right, whole: id, lengths: (cut, scalars.count - cut))
    }
  }

  /// High scores first, then long left halves, then long right ones, then low ids.
  private static func byScore(
    _ merges: [Merge], _ pieces: [SentencePieceFile.Piece]
  ) -> [Merge] {
    merges.sorted { one, other in
      let scores = (pieces[Int(one.whole)].score, pieces[Int(other.whole)].score)
      if scores.0 != scores.1 { return scores.0 > scores.1 }
      if one.lengths != other.lengths { return one.lengths > other.lengths }
      return one.whole < other.whole
    }
  }
}

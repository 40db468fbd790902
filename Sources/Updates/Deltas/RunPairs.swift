import Files

/// A part of a new file, and the place in an old one where the bytes that it is compared with begin.
struct RunPair: Equatable {
  let new: Range<Int>
  /// Nil where there is nothing to compare with.
  let old: Int?
}

extension RunPair {
  /// All of a new file, part by part in its order.
  ///
  /// Tensors of one name and length are compared. What lies between them is compared where the bytes before
  /// it were, and a file without tensors with the bytes at the same places.
  static func all(of new: MappedFile, beside old: MappedFile) -> [RunPair] {
    let places = Dictionary(TensorRuns(of: old).runs.map { ($0.name, $0.bytes) }) { first, _ in
      first
    }
    var (pairs, end, shift) = ([RunPair](), 0, 0)
    func add(_ range: Range<Int>, _ shift: Int) {
      let known = max(0, -shift)..<max(0, old.byteCount - shift)
      for part in [
        range.clamped(to: 0..<known.lowerBound), range.clamped(to: known),
        range.clamped(to: known.upperBound..<max(known.upperBound, range.upperBound)),
      ] where !part.isEmpty {
        pairs.append(
          RunPair(new: part, old: known.contains(part.lowerBound) ? part.lowerBound + shift : nil))
      }
    }
    for run in TensorRuns(of: new).runs where run.bytes.lowerBound >= end {
      add(end..<run.bytes.lowerBound, shift)
      if let place = places[run.name], place.count == run.bytes.count {
        shift = place.lowerBound - run.bytes.lowerBound
        add(run.bytes, shift)
      } else if !run.bytes.isEmpty {
        pairs.append(RunPair(new: run.bytes, old: nil))
      }
      end = run.bytes.upperBound
    }
    add(end..<new.byteCount, shift)
    return pairs
  }
}

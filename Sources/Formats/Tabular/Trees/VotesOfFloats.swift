import Trees

/// A forest each of whose trees votes for one of two classes, with 1 ÷ trees in 32 bits, which are added in 32 bits:
/// so ONNX files have them.
///
/// In doubles half of the votes would be 0.50000000745, say, and the second class would win. Which one wins with half
/// of the votes is what the sum in 32 bits says.
struct VotesOfFloats {
  /// What a leaf has that votes for the second class; others have 0.
  let vote: Double
  let secondWinsTies: Bool

  /// Nil of other trees, and of so many that their sums miss half by more than a vote.
  init?(_ ensemble: TreeEnsemble) {
    let count = ensemble.treeCount
    guard ensemble.precision.addsFloats, ensemble.divisor == 1, ensemble.base == [0], count > 0,
      let vote = ensemble.leaves.max(), ensemble.leaves.allSatisfy({ $0 == 0 || $0 == vote }),
      abs(vote * Double(count) - 1) <= 0x1p-22
    else { return nil }
    var sum: Float = 0
    var needed = 0
    while sum <= 0.5, needed <= count {
      sum += Float(vote)
      needed += 1
    }
    // Votes that the second class needs: more than half, or half.
    let isTie = count.isMultiple(of: 2) && needed == count / 2
    guard isTie || needed == count / 2 + 1 else { return nil }
    self.vote = vote
    secondWinsTies = isTie
  }
}

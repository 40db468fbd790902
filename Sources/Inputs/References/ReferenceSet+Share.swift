package import Graph
package import Weights

extension ReferenceSet {
  /// The two shares of a set: one to search by, and one that proves what was found.
  package enum Share: String, CaseIterable, Sendable {
    case search, verdict

    /// Version of the rule by which a set is cut; a receipt names it.
    package static let rule = 1

    /// The digest of a share, by that of the whole set.
    package func digest(of whole: ContentDigest) -> ContentDigest {
      ContentDigest(of: Array("\(whole.hex)\n\(rawValue)\n".utf8))
    }
  }

  /// What a share is of.
  package struct Cut: Equatable, Sendable {
    package let share: Share
    /// Digest of the whole set.
    package let whole: ContentDigest
  }

  /// The lines of each share, so that no input is in both.
  ///
  /// Lines that share an input stay together, and inputs that a model cannot tell apart are one
  /// (`InputIdentity`). A line goes by the content of its inputs: by the last bit of the least SHA-256
  /// among those of all inputs that it stays together with; 1 is for the verdict. So neither the order
  /// of lines nor other lines matter, as long as these share no input with it.
  ///
  /// - Parameter models: that take the inputs, as trained.
  /// - Throws: as `identities`.
  package func shares(
    seenBy models: [Model], jobs: Int
  ) throws -> (search: ReferenceSet, verdict: ReferenceSet) {
    let isInVerdict = try verdictInputs(try identities(seenBy: models, jobs: jobs))
    return (share(.search, isInVerdict), share(.verdict, isInVerdict))
  }

  private func share(_ share: Share, _ isInVerdict: [Bool]) -> ReferenceSet {
    let kept = inputs.indices.filter { isInVerdict[$0] == (share == .verdict) }
    var places = [Int](repeating: 0, count: inputs.count)
    for (place, number) in kept.enumerated() { places[number] = place }
    let isKept = Set(kept)
    return ReferenceSet(
      self, share: share, inputs: kept,
      content: content.taking(where: isKept.contains) { places[$0] })
  }

  /// For each input whether it is in the share that proves.
  private func verdictInputs(_ identities: [[InputIdentity]]) throws -> [Bool] {
    var groups = Groups(count: inputs.count)
    if case .pairs(let pairs) = content {
      for pair in pairs {
        let all = pair.a + pair.b
        for other in all.dropFirst() { groups.join(all[0], other) }
      }
    }
    var first: [InputIdentity: Int] = [:]
    for (number, all) in identities.enumerated() {
      for identity in all {
        groups.join(first[identity] ?? number, number)
        if first[identity] == nil { first[identity] = number }
      }
    }
    var least: [Int: String] = [:]
    for (number, digest) in try contentDigests().enumerated() {
      let group = groups.first(of: number)
      least[group] = min(least[group] ?? digest.hex, digest.hex)
    }
    return inputs.indices.map { number in
      least[groups.first(of: number)]?.last?.hexDigitValue?.isMultiple(of: 2) == false
    }
  }

  /// For each input the digest of what it holds, of an image that of its bytes.
  func contentDigests() throws -> [ContentDigest] { try inputs.map(contentDigest) }

  func contentDigest(of input: Input) throws -> ContentDigest {
    switch input {
    case .text(let text): ContentDigest(of: Array(text.utf8))
    case .textPair(let first, let second):
      ContentDigest(of: Array(first.utf8) + [0] + Array(second.utf8))
    case .values(let values):
      ContentDigest(of: Array(values.map { "\(Float($0))" }.joined(separator: " ").utf8))
    case .named(let row): ContentDigest(of: Array(row.words(.max).utf8))
    case .image(let path): try images.digest(of: path)
    }
  }
}

extension ReferenceSet.Content {
  /// The lines of some inputs, by their new numbers.
  fileprivate func taking(
    where isKept: (Int) -> Bool, _ place: (Int) -> Int
  ) -> ReferenceSet.Content {
    switch self {
    case .pairs(let pairs):
      .pairs(
        pairs.filter { isKept($0.a[0]) }.map { pair in
          ReferenceSet.Pair(
            a: pair.a.map(place), b: pair.b.map(place), similarity: pair.similarity,
            expectation: pair.expectation, line: pair.line)
        })
    case .samples(let samples):
      .samples(
        samples.filter { isKept($0.input) }.map { sample in
          ReferenceSet.Sample(
            input: place(sample.input), output: sample.output, line: sample.line,
            isOutcome: sample.isOutcome, label: sample.label)
        })
    }
  }
}

/// Numbers that belong together (union-find; Tarjan 1975).
private struct Groups {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (left, right) = (first(of: left), first(of: right))
    parents[max(left, right)] = min(left, right)
  }
}

/// Some values of one feature.
struct ValueSet: Equatable, Sendable {
  /// Places of a `FeatureDomain`, ascending and apart from each other.
  private(set) var spans: [ClosedRange<Int64>]
  /// Whether a missing value is one of them.
  var hasMissing: Bool

  var isEmpty: Bool { spans.isEmpty && !hasMissing }
  var isMissingAlone: Bool { spans.isEmpty && hasMissing }

  init(_ spans: [ClosedRange<Int64>], hasMissing: Bool = false) {
    (self.spans, self.hasMissing) = (spans, hasMissing)
  }

  /// Places from one to another; none where these are in the wrong order.
  init(from first: Int64, to last: Int64) {
    self.init(first <= last ? [first...last] : [])
  }

  func contains(_ place: Int64) -> Bool { spans.contains { $0.contains(place) } }

  func intersection(_ other: ValueSet) -> ValueSet {
    var found: [ClosedRange<Int64>] = []
    var (own, theirs) = (0, 0)
    while own < spans.count, theirs < other.spans.count {
      let first = max(spans[own].lowerBound, other.spans[theirs].lowerBound)
      let last = min(spans[own].upperBound, other.spans[theirs].upperBound)
      if first <= last { found.append(first...last) }
      if spans[own].upperBound < other.spans[theirs].upperBound { own += 1 } else { theirs += 1 }
    }
    return ValueSet(found, hasMissing: hasMissing && other.hasMissing)
  }

  func subtracting(_ other: ValueSet) -> ValueSet {
    var found: [ClosedRange<Int64>] = []
    var theirs = 0
    for span in spans {
      var first = span.lowerBound
      while theirs < other.spans.count, other.spans[theirs].upperBound < first { theirs += 1 }
      var next = theirs
      while next < other.spans.count, other.spans[next].lowerBound <= span.upperBound {
        if first < other.spans[next].lowerBound {
          found.append(first...other.spans[next].lowerBound - 1)
        }
        first = max(first, other.spans[next].upperBound + 1)
        next += 1
      }
      if first <= span.upperBound { found.append(first...span.upperBound) }
    }
    return ValueSet(found, hasMissing: hasMissing && !other.hasMissing)
  }
}

extension ValueSet {
  /// Whole numbers from 0 on that are in it, the first few; nil where it has many, or none.
  var codes: [Int]? {
    var codes: [Int] = []
    for span in spans where span.upperBound >= 0 {
      guard span.upperBound - max(0, span.lowerBound) < 1 << 16 else { return nil }
      codes += (max(0, span.lowerBound)...span.upperBound).prefix(4).map { Int($0) }
    }
    return codes.isEmpty ? nil : Array(codes.prefix(4))
  }
}

extension TreeEnsemble {
  /// Values that go left at a branch.
  ///
  /// - Parameter domain: of its feature; whole numbers where any branch asks it for a set of categories.
  func valuesGoingLeft(at branch: Int, _ domain: FeatureDomain) -> ValueSet {
    let (rule, threshold) = (rules[branch], thresholds[branch])
    var set = compared(threshold, rule, domain)
    if rule.contains(.readsMissingAsZero) {
      set.hasMissing = set.contains(0)
      return set
    }
    if rule.contains(.zeroIsMissing) {
      let zeros = ValueSet(
        from: domain.last(-Self.zero, isStrict: true) + 1,
        to: domain.last(Self.zero, isStrict: false))
      if rule.contains(.missingGoesLeft) {
        let all = ValueSet([domain.all])
        set = all.subtracting(all.subtracting(set).subtracting(zeros))
      } else {
        set = set.subtracting(zeros)
      }
    }
    set.hasMissing = rule.contains(.missingGoesLeft)
    return set
  }

  /// What is taken for 0: the number of 32 bits next to 1e-35.
  private static let zero = Double(1e-35 as Float)

  /// Values for which the comparison holds, none of them missing.
  private func compared(_ threshold: Double, _ rule: Rule, _ domain: FeatureDomain) -> ValueSet {
    if rule.contains(.isCategory) { return categories[Int(threshold)].places }
    let last = domain.last(threshold, isStrict: false)
    if rule.contains(.isEqual) {
      return ValueSet(from: domain.last(threshold, isStrict: true) + 1, to: last)
    }
    return ValueSet(
      from: domain.all.lowerBound,
      to: rule.contains(.isStrict) ? domain.last(threshold, isStrict: true) : last)
  }
}

extension TreeEnsemble.CategorySet {
  /// Categories as places of whole numbers.
  fileprivate var places: ValueSet {
    var spans: [ClosedRange<Int64>] = []
    for (number, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        let place = Int64(64 * number + rest.trailingZeroBitCount)
        rest &= rest - 1
        if let end = spans.last, end.upperBound + 1 == place {
          spans[spans.count - 1] = end.lowerBound...place
        } else {
          spans.append(place...place)
        }
      }
    }
    return ValueSet(spans)
  }
}

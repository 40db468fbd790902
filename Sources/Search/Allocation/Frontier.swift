/// The least loss for every number of bytes, when each of some weights is stored in one of several
/// ways and losses add up.
///
/// A dynamic programme over bytes, counted in steps of at most 1/65536 of all there is to choose
/// (the multiple-choice knapsack; Dudzinski and Walukiewicz 1987).
struct Frontier {
  /// A way to store a weight.
  struct Choice: Equatable {
    let bytes: Int
    let loss: Double
  }

  /// A choice for each weight.
  struct Allocation: Equatable {
    /// Place of the choice, by weight.
    let places: [Int]
    let bytes: Int
    let loss: Double
  }

  private let choices: [[Choice]]
  /// Bytes of the smallest choices together.
  let smallest: Int
  /// Bytes of a step.
  private let unit: Int
  /// The least loss with so many steps, at most.
  private let losses: [Double]
  /// For each weight and number of steps the choice.
  private let places: [[UInt8]]

  private static let steps = 1 << 16

  /// - Parameter given: for each weight at least one and at most 256. A loss that is NaN counts as
  ///   infinite.
  init(_ given: [[Choice]]) {
    precondition(given.allSatisfy { (1...256).contains($0.count) }, "1 to 256 ways for each weight")
    let choices = given.map {
      $0.map { $0.loss.isNaN ? Choice(bytes: $0.bytes, loss: .infinity) : $0 }
    }
    self.choices = choices
    let least = choices.map { $0.map(\.bytes).min() ?? 0 }
    smallest = least.reduce(0, +)
    let most = choices.reduce(0) { $0 + ($1.map(\.bytes).max() ?? 0) }
    let unit = max(1, (most - smallest + Frontier.steps - 1) / Frontier.steps)
    let costs = zip(choices, least).map { choices, least in
      choices.map { ($0.bytes - least + unit - 1) / unit }
    }
    let capacity = costs.reduce(0) { $0 + ($1.max() ?? 0) }
    var losses = [Double](repeating: 0, count: capacity + 1)
    var places: [[UInt8]] = []
    for (choices, costs) in zip(choices, costs) {
      let before = losses
      var place = [UInt8](repeating: 0, count: capacity + 1)
      for steps in 0...capacity {
        // The smallest choice always fits, even if none has a finite loss.
        var least: Double?
        for (index, cost) in costs.enumerated() where cost <= steps {
          let loss = before[steps - cost] + choices[index].loss
          if loss < least ?? .infinity || least == nil {
            least = loss
            place[steps] = UInt8(index)
          }
        }
        losses[steps] = least ?? .infinity
      }
      places.append(place)
    }
    (self.unit, self.losses, self.places) = (unit, losses, places)
  }

  /// The allocation of least loss.
  var best: Allocation { filled(allocation(losses.count - 1), .max) }

  /// The allocation of least loss with at most so many bytes; nil if none is so small.
  func best(bytes: Int) -> Allocation? {
    guard bytes >= smallest else { return nil }
    let steps = min(losses.count - 1, (bytes - smallest) / unit)
    return filled(allocation(steps), bytes)
  }

  /// The smallest allocation of at most some loss; nil if none loses so little.
  func smallest(loss: Double) -> Allocation? {
    guard losses[losses.count - 1] <= loss else { return nil }
    // The least loss falls with the number of steps.
    var low = 0, high = losses.count - 1
    while low < high {
      let middle = (low + high) / 2
      if losses[middle] <= loss { high = middle } else { low = middle + 1 }
    }
    return allocation(low)
  }

  private func allocation(_ steps: Int) -> Allocation {
    var rest = steps
    var found = [Int](repeating: 0, count: choices.count)
    for weight in choices.indices.reversed() {
      let place = Int(places[weight][rest])
      found[weight] = place
      let least = choices[weight].map(\.bytes).min() ?? 0
      rest -= (choices[weight][place].bytes - least + unit - 1) / unit
    }
    return Allocation(places: found, of: choices)
  }

  // Bytes that rounding to steps left over go to the weights that lose most by the byte.
  private func filled(_ start: Allocation, _ bytes: Int) -> Allocation {
    var current = start
    while true {
      var next: (gain: Double, weight: Int, place: Int)?
      for weight in choices.indices {
        let own = choices[weight][current.places[weight]]
        for (place, choice) in choices[weight].enumerated() where choice.loss < own.loss {
          let more = choice.bytes - own.bytes
          guard more <= bytes - current.bytes else { continue }
          let gain = more > 0 ? (own.loss - choice.loss) / Double(more) : .infinity
          if gain > next?.gain ?? 0 { next = (gain, weight, place) }
        }
      }
      guard let next else { return current }
      var places = current.places
      places[next.weight] = next.place
      current = Allocation(places: places, of: choices)
    }
  }
}

extension Frontier.Allocation {
  /// - Parameter places: of the choices, by weight.
  init(places: [Int], of choices: [[Frontier.Choice]]) {
    let chosen = zip(choices, places).map { $0[$1] }
    self.init(
      places: places, bytes: chosen.reduce(0) { $0 + $1.bytes },
      loss: chosen.reduce(0) { $0 + $1.loss })
  }
}

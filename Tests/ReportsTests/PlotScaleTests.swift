import Foundation
import Testing

@testable import Reports

struct PlotScaleTests {
  @Test func logarithmsAreThoseOfTheLibrary() {
    for value in [1e-9, 3.7e-5, 0.001, 0.5, 1, 9.999999, 10, 123_456, 7e30] {
      #expect((Logarithm.ten(value) - log10(value)).magnitude < 1e-11, "\(value)")
    }
    #expect(Logarithm.ten(0) == -300 && Logarithm.ten(.nan) == -300)
    #expect(Logarithm.power(ofTen: -3) == 0.001 && Logarithm.power(ofTen: 6) == 1e6)
  }

  @Test func placesAreBetweenTheEnds() {
    let scale = PlotScale([10, 20], isLogarithmic: false, padding: 0.1, from: 0, to: 100)
    #expect(scale.place(of: 15) == 50)
    #expect(scale.place(of: 10) > 0 && scale.place(of: 20) < 100)
    #expect(scale.place(of: -1e9) == 0 && scale.place(of: 1e9) == 100)
    #expect(scale.ticks == [10, 15, 20])
  }

  /// Three at least, and no more than a phone has room for.
  @Test func thereAreAFewTicks() {
    for end in stride(from: 0.9, to: 0.99999, by: 0.00371) {
      let scale = PlotScale(between: end, and: 1, from: 0, to: 1)
      #expect((3...6).contains(scale.ticks.count), "\(end): \(scale.ticks)")
      #expect(scale.ticks.allSatisfy { $0 >= end && $0 <= 1 })
    }
  }

  @Test func decadesAreEquallyFarApart() {
    let scale = PlotScale([1e-4, 1e-1], isLogarithmic: true, padding: 0, from: 300, to: 0)
    #expect((scale.place(of: 1e-3) - 200).magnitude < 1e-6)
    #expect((scale.place(of: 1e-2) - 100).magnitude < 1e-6)
    #expect(scale.ticks.map { Logarithm.ten($0).rounded() } == [-4, -3, -2, -1])
  }

  @Test(arguments: [1e-9, 0.0007, 1, 12_345_678])
  func oneValueIsInTheMiddle(_ value: Double) {
    for isLogarithmic in [false, true] {
      let scale = PlotScale(
        [value], isLogarithmic: isLogarithmic, padding: 0.1, from: 0, to: 10)
      #expect((scale.place(of: value) - 5).magnitude < 1e-9)
      #expect(!scale.ticks.isEmpty)
    }
  }
}

import Foundation
import Testing

@testable import IngotFeatures

/// Sines and cosines without a C library.
struct CyclePointTests {
  @Test func theyAreThoseOfTheLibrary() {
    for period in [24.0, 7, 1, 365.25, 1e-3] {
      for step in -500...500 {
        let value = Double(step) * period / 173
        let point = CyclePoint(of: value, period: period)
        let angle = 2 * Double.pi * value / period
        // An angle of several turns has an error of its own.
        let limit = 2e-16 + abs(angle) * 3e-16
        #expect(abs(point.sine - sin(angle)) <= limit, "\(value) of \(period)")
        #expect(abs(point.cosine - cos(angle)) <= limit, "\(value) of \(period)")
      }
    }
  }

  @Test func quartersAreExact() {
    for (value, sine, cosine) in [
      (0.0, 0.0, 1.0), (6, 1, 0), (12, 0, -1), (18, -1, 0), (24, 0, 1), (-6, -1, 0), (240, 0, 1),
    ] {
      let point = CyclePoint(of: value, period: 24)
      #expect(point.sine == sine && point.cosine == cosine, "\(value)")
    }
  }
}

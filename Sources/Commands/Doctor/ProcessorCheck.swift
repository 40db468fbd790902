import Execution
import Files
import StrictJSON

/// Processors, what they can do, and memory.
enum ProcessorCheck: MachineCheck {
  /// A build of small models takes far less, one of a large encoder more.
  private static let memoryNeeded = 2 << 30

  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    [
      instructions,
      MachineFinding(
        name: "processors", status: .ok, found: "\(System.processorCount)"), memory,
    ]
  }

  private static var instructions: MachineFinding {
    let set = ExecutionFacts.instructionSet
    guard set == "baseline" else {
      return MachineFinding(name: "instructions", status: .ok, found: set)
    }
    return MachineFinding(
      name: "instructions", status: .warning, found: "neither avx2 nor avx512",
      mend: "models run several times slower here; a processor with AVX2 is better")
  }

  private static var memory: MachineFinding {
    let count = Machine.memoryByteCount
    guard count < memoryNeeded else {
      return MachineFinding(name: "memory", status: .ok, found: Figures.bytes(count))
    }
    return MachineFinding(
      name: "memory", status: .warning, found: Figures.bytes(count),
      mend: "a large model may not fit; \(Figures.bytes(memoryNeeded)) is on the safe side")
  }
}

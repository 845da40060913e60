/** The interval of lines about work that takes long. */
const EVERY_MS = 2_000

/** Returns a function that prints the progress of long work, at most every two seconds. */
export function percentageOf(what: string, print: (line: string) => void): (percent: number) => void {
  let printedAt = Date.now()
  let printed = 0
  return (percent) => {
    const whole = Math.floor(percent)
    if (whole <= printed || Date.now() - printedAt < EVERY_MS) return
    printedAt = Date.now()
    printed = whole
    print(`${what}: ${whole} %`)
  }
}

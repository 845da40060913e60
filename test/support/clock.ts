const DAY_MS = 86_400_000

/** The clock of a test: time does not pass, and work can run at another time. */
export function createClock(now = new Date()) {
  async function at<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
    const present = now
    now = new Date(time)
    try {
      return await work()
    } finally {
      now = present
    }
  }
  return {
    clock: () => now,
    at,
    /** Runs work as if it was some days ago. */
    daysAgo: <Result>(days: number, work: () => Promise<Result>) => at(now.getTime() - days * DAY_MS, work),
  }
}

/** The time of a test: it stands still, and something may be done at another one. */
export function createClock(now = new Date()) {
  return {
    clock: () => now,
    async at<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
      const present = now
      now = new Date(time)
      try {
        return await work()
      } finally {
        now = present
      }
    },
  }
}

import { cpus, loadavg } from 'node:os'

/**
 * How many times more work the machine has than processors, at least 1. Everything takes as many times longer, so limits of time
 * are multiplied by it.
 */
export const busyness = (): number => Math.max(1, (loadavg()[0] ?? 1) / cpus().length)

/** Receives the logs of the service. Compatible with Fastify's logger and pino. */
export interface EepLogger {
  /** Logs normal events, such as a module that is off or a finished task. */
  info(details: object, message: string): void
  /** Logs degraded operation and possible problems. */
  warn(details: object, message: string): void
  /** Logs bugs, lost work, and problems that need an operator. */
  error(details: object, message: string): void
}

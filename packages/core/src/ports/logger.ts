/** Receives the logs of the service. Compatible with Fastify's logger and pino. */
export interface EepLogger {
  /** Logs what is normal: a module that is off, a finished task. */
  info(details: object, message: string): void
  /** Logs what works with less, or may become a problem. */
  warn(details: object, message: string): void
  /** Logs a bug, or work that is lost or needs a person. */
  error(details: object, message: string): void
}

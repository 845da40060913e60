/** Receives the logs of the service. Compatible with Fastify's logger and pino. */
export interface EepLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

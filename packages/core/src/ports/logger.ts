/** Receives what the service logs. A Fastify or pino logger fits. */
export interface EepLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

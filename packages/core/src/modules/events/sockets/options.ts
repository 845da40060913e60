import { z } from 'zod'

/** The options of the feature. */
export const socketsOptions = {
  /**
   * How often clients are pinged. A client that is silent for two intervals is disconnected.
   * @default 15000
   */
  pingIntervalMs: z.int().min(100).max(300_000).default(15_000),
  /**
   * How long before the end of its session or key a client is warned.
   * @default 300
   */
  authWarningSeconds: z.int().min(1).max(86_400).default(300),
  /**
   * How long after that warning a client can send another token.
   * @default 60
   */
  authRefreshSeconds: z.int().min(1).max(86_400).default(60),
  /**
   * The maximum size of a frame, in bytes. A larger one closes the connection with 1009.
   * @default 65536
   */
  maxFrameBytes: z.int().min(1_024).max(1_048_576).default(65_536),
  /**
   * Frames that a client may send per second, including pings and pongs of the protocol. More close the connection with 1008.
   * @default 50
   */
  framesPerSecond: z.int().min(1).max(10_000).default(50),
}

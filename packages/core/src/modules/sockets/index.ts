export type { FrameHandler, FrameHandlers, OnOpen, SocketClient, SocketName } from './frame-handlers.ts'
export type { ServerFrame } from './frames.ts'

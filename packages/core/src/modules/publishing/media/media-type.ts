/** Whether a file of this type is audio or video. */
export const isMedia = (contentType: string): boolean => /^(audio|video)\/|^application\/ogg(;|$)/i.test(contentType)

// The sleep of the PC as the agent sees it: it says when the PC must stay awake, and shows why it may not.

export interface AwakePort {
  /** Why the PC may fall asleep although it should not; null: it does not, or may. */
  readonly problem: string | null;
  /** Keep the PC awake from now on, or no longer. */
  follow(isWanted: boolean): void;
}

/** Where nothing keeps the PC awake. */
export const noAwake: AwakePort = { problem: 'Nothing keeps it awake.', follow: () => undefined };

import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly isMono?: boolean;
}

/** A pair of a list of facts. */
export function Fact({ children, isMono = false, name }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={isMono ? 'mono' : ''}>{children}</dd>
    </>
  );
}

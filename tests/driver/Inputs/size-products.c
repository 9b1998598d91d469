/* `G_R` has to be `G * R`, and views say what it is. */
int main(void) {
  float q[6] = {1, 2, 3, 4, 5, 6}, k[3] = {1, 1, 1}, s[6], e[2];
  int64_t strides = 1;
  if (heads(q, k, s, e, 3, 2, 6, 1) != EIN_OK || e[0] != 9 || e[1] != 12)
    return 1;
  if (heads(q, k, s, e, 3, 2, 5, 1) != EIN_SHAPE_MISMATCH)
    return 2;
  ein_f32_2d q_view = {q, {6, 1}, {strides, 1}};
  ein_f32_2d k_view = {k, {3, 1}, {strides, 1}};
  ein_f32_1d s_view = {s, {6}, {1}}, e_view = {e, {2}, {1}};
  if (heads_view(&q_view, &k_view, &s_view, &e_view) != EIN_OK || e[1] != 12)
    return 3;
  q_view.sizes[0] = 5;
  if (heads_view(&q_view, &k_view, &s_view, &e_view) != EIN_SHAPE_MISMATCH)
    return 4;
  return 0;
}

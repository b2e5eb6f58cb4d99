package dev.flyball.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostTest {
  @ParameterizedTest
  @CsvSource({"0, 0.000000", "1, 0.000001", "12300, 0.012300", "1234567000000, 1234567.000000"})
  void a_decimal_has_six_places_and_no_sign(long micros, String decimal) {
    assertThat(new Cost(micros).decimal()).isEqualTo(decimal);
    assertThat(new Cost(micros)).hasToString("$" + decimal);
  }
}
